import type { Authorize } from '@slack/bolt'
import { WebClient, type WebClientOptions } from '@slack/web-api'
import type { OAuthCredentials } from '../../config/slack-config.ts'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import type { Installations } from '../../workspaces/installations.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import type { StartOptions } from '../platform/token-check.ts'
import { authorizeInstalledWorkspaces, authorizeOneWorkspace } from './authorize.ts'
import { createInstaller, type Installer } from './installer.ts'
import { createRemoval, type Removal } from './removal.ts'
import { createTokenRotation } from './token-rotation.ts'

/** The tokens with which the app calls Slack. */
export type SlackTokens =
  /** The token of the one workspace that the deployment serves. */
  | { botToken: string }
  /** The tokens of each workspace that installs the app. */
  | {
      oauth: OAuthCredentials
      /** The bot scopes to ask for. */
      scopes: readonly string[]
      installations: Installations
    }

/** How requests get their tokens, and how workspaces install and uninstall the app. */
export interface SlackAuth {
  authorize: Authorize<boolean>
  /** Absent if one bot token is configured. */
  installer: Installer | undefined
  removal: Removal
}

/** @throws an Error for the person who runs the app if Slack refuses the configured bot token */
export async function createSlackAuth(
  options: StartOptions & {
    tokens: SlackTokens
    /** Slack's Web API, ending in a slash. */
    apiUrl: string
    publicUrl: string | undefined
    clientOptions: WebClientOptions
    workspaces: Workspaces
    tasks: InFlightTasks
  },
): Promise<SlackAuth> {
  const { tokens, clientOptions } = options
  const client = new WebClient(undefined, clientOptions)
  if ('botToken' in tokens) {
    return {
      authorize: await authorizeOneWorkspace(client, tokens.botToken, options),
      installer: undefined,
      removal: createRemoval({ ...options, client, installations: undefined }),
    }
  }
  const { oauth, scopes, installations } = tokens
  const rotation = createTokenRotation({ ...options, ...oauth, client, installations })
  return {
    authorize: authorizeInstalledWorkspaces(installations, rotation),
    installer: createInstaller({ ...options, credentials: oauth, scopes, installations }),
    removal: createRemoval({ ...options, client, installations }),
  }
}
