import type { Processing } from '../simulator/workspace/files.ts'
import type { SlackOAuth } from '../simulator/oauth/slack-oauth.ts'
import type { Team } from '../simulator/app/team.ts'

export interface SimulatedWorkspaceOptions {
  /** The app's manifest, parsed. */
  manifest: unknown
  /** Signs what goes to the app. */
  signingSecret: string
  /** A token that the app may call with from the beginning; else it is installed by `consent`. */
  botToken?: string
  /** The workspace that this is, the playground's own unless given. */
  team?: Team
  /** Slack's side of OAuth, shared with other workspaces that the app is installed in. */
  oauth?: SlackOAuth
  /** Milliseconds since 1970. */
  now?: () => number
  /** The scopes that `botToken` was granted; all of the manifest's unless given. */
  scopes?: readonly string[]
  /** How long the app may take to acknowledge, in milliseconds: Slack's 3000 unless given. */
  ackTimeoutMs?: number
  /** Pauses before a failed event is delivered again, in milliseconds: Slack's unless given. */
  eventRetriesMs?: readonly number[]
  /** How long an upload stays unshowable as a `slack_file`; not at all unless given. */
  processing?: Processing
}
