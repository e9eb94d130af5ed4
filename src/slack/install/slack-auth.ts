import type { Authorize } from '@slack/bolt'
import { WebClient, type WebClientOptions } from '@slack/web-api'
import type { Logger } from 'pino'
import type { Installations } from '../../workspaces/installations.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { installedWorkspaces, singleWorkspace } from '../authorize.ts'
import type { Work } from '../work.ts'
import { createInstaller, type Installer, type OAuthCredentials } from './installer.ts'
import { createRemoval, type Removal } from '../installing/removal.ts'
import { createTokenRotation } from '../installing/token-rotation.ts'

/** Whose tokens the app speaks to Slack with. */
export type SlackTokens =
  /** Of the one workspace that the deployment was made for. */
  | { botToken: string }
  /** Of each workspace that installs the app. */
  | {
      oauth: OAuthCredentials
      /** The bot scopes to ask for. */
      scopes: readonly string[]
      installations: Installations
    }

/** How requests get their tokens, and how workspaces come and go. */
export interface Access {
  authorize: Authorize<boolean>
  /** Absent where one bot token is configured. */
  installer: Installer | undefined
  removal: Removal
}

/** @throws when Slack doesn't accept the configured bot token, or can't be reached */
export async function createAccess(options: {
  tokens: SlackTokens
  /** Slack's Web API, ending in a slash. */
  apiUrl: string
  publicUrl: string | undefined
  clientOptions: WebClientOptions
  workspaces: Workspaces
  work: Work
  logger: Logger
}): Promise<Access> {
  const { tokens, clientOptions } = options
  const client = new WebClient(undefined, clientOptions)
  if ('botToken' in tokens) {
    return {
      authorize: await singleWorkspace(client, tokens.botToken),
      installer: undefined,
      removal: createRemoval({ ...options, client, installations: undefined }),
    }
  }
  const { oauth, scopes, installations } = tokens
  const rotation = createTokenRotation({ ...options, ...oauth, client, installations })
  return {
    authorize: installedWorkspaces(installations, rotation),
    installer: createInstaller({ ...options, credentials: oauth, scopes, installations }),
    removal: createRemoval({ ...options, client, installations }),
  }
}
