import type { App, Authorize } from '@slack/bolt'
import { WebClient, type WebClientOptions } from '@slack/web-api'
import type { OAuthCredentials } from '../../config/slack-config.ts'
import type { InFlightTasks } from '../../http/in-flight-tasks.ts'
import type { Installations } from '../../workspaces/installations.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { EVENTS } from '../ids.ts'
import type { Platform } from '../platform/platform.ts'
import type { StartOptions } from '../platform/token-check.ts'
import { authorizeInstalledWorkspaces, authorizeOneWorkspace } from './authorize.ts'
import { createInstaller, type Installer } from './installer.ts'
import { createRemoval, type Removal } from './removal.ts'
import { createTokenRotation } from './token-rotation.ts'
import { createUnauthorizedRequestHandler } from './unauthorized-request.ts'

/** What Bolt passes to an error handler with `extendedErrorHandler`. It does not export the type. */
type ErrorArgs = Parameters<Parameters<App['error']>[0]>[0]

/** Handles uninstalls, and requests from workspaces that have no token. */
export function registerInstall(
  app: App,
  platform: Platform,
  {
    removal,
    clientOptions,
    publicUrl,
  }: { removal: Removal; clientOptions: WebClientOptions; publicUrl: string | undefined },
): void {
  const { tasks, logger } = platform
  const answerUnauthorized = createUnauthorizedRequestHandler(platform, {
    client: new WebClient(undefined, clientOptions),
    publicUrl,
  })

  // Losing the bot token has the same effect as an uninstall.
  for (const name of [EVENTS.uninstalled, EVENTS.tokensRevoked] as const) {
    app.event(name, ({ event, body, context }) =>
      tasks.track(async () => {
        if (event.type === 'tokens_revoked' && !event.tokens.bot?.length) return
        const { teamId, enterpriseId, isEnterpriseInstall } = context
        const id = isEnterpriseInstall ? enterpriseId : (teamId ?? enterpriseId)
        if (id) await removal(id, body.event_time)
      }),
    )
  }

  app.error(async ({ error, body }: ErrorArgs) => {
    if (!answerUnauthorized(error, body)) {
      logger.error({ err: error }, 'a request from Slack failed')
    }
  })
}

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
