import { AuthorizationError, type App, type CodedError } from '@slack/bolt'
import { WebClient, type WebClientOptions } from '@slack/web-api'
import { withoutSlash } from '../../contract/endpoints.ts'
import { NotInstalledError } from '../../workspaces/installations.ts'
import { KeyringError } from '../../workspaces/keyring.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { DatabaseUnavailableError } from '../../workspaces/write-if-installed.ts'
import { problemMessage } from '../block-kit/notices.ts'
import { EVENTS } from '../ids.ts'
import { readReplyTarget, type SlackPayload } from '../platform/caller.ts'
import { errorTexts } from '../platform/error-messages.ts'
import type { Platform } from '../platform/platform.ts'
import type { StartOptions } from '../platform/slack-errors.ts'
import { authorizeInstalledWorkspaces, authorizeOneWorkspace } from './authorize.ts'
import { createInstaller, type InstallerOptions, type OAuthSetup } from './installer.ts'

type ErrorArgs = Parameters<Parameters<App['error']>[0]>[0]

interface InstallOptions {
  forget: Workspaces['forget']
  isByOAuth: boolean
  clientOptions: WebClientOptions
  publicUrl: string | undefined
}

export function registerInstall(app: App, platform: Platform, options: InstallOptions): void {
  const { forget, isByOAuth, clientOptions, publicUrl } = options
  const { tasks, logger } = platform
  const client = new WebClient(undefined, clientOptions)

  // Losing the bot token has the same effect as an uninstall. Several events report one uninstall, in any order: the
  // first deletes everything about the workspace, and the others find nothing, or a newer installation.
  for (const name of [EVENTS.uninstalled, EVENTS.tokensRevoked] as const) {
    app.event(name, ({ event, body, context }) =>
      tasks.track(async () => {
        if (event.type === 'tokens_revoked' && !event.tokens.bot?.length) return
        const { teamId, enterpriseId, isEnterpriseInstall } = context
        const id = isEnterpriseInstall ? enterpriseId : (teamId ?? enterpriseId)
        if (!id) return
        // Slack sends whole seconds. An installation in the same second belongs to the app that was uninstalled,
        // because installing again takes longer than a second.
        const isDeleted = await forget(id, isByOAuth ? (body.event_time + 1) * 1_000 : undefined)
        logger.info({ workspaceId: id, isDeleted }, 'a workspace uninstalled the app')
      }),
    )
  }

  app.error(async ({ error, body }: ErrorArgs) => {
    if (error instanceof AuthorizationError) {
      return answerUnauthorized(platform, { client, publicUrl }, error, body)
    }
    logger.error({ err: error }, 'a request from Slack failed')
  })
}

export type SlackTokens = { botToken: string } | OAuthSetup

/** Creates `authorize`, with which Bolt finds a token, and the installer, unless a bot token is configured. */
export async function createSlackAuth(
  options: StartOptions & InstallerOptions & { tokens: SlackTokens },
) {
  const { tokens, clientOptions } = options
  const client = new WebClient(undefined, clientOptions)
  if ('botToken' in tokens) {
    return {
      authorize: await authorizeOneWorkspace(client, tokens.botToken, options),
      installer: undefined,
    }
  }
  const { oauth, installations } = tokens
  return {
    authorize: authorizeInstalledWorkspaces({ ...options, ...oauth, client, installations }),
    installer: createInstaller({ ...options, ...tokens }),
  }
}

/**
 * Answers a request of a workspace for which there is no token, at the request's `response_url` or with the step's own
 * token. If a form or a button has neither, throws `error`: Slack then says that it failed, and the form stays open.
 */
export function answerUnauthorized(
  { replies, tasks, logger }: Platform,
  { client, publicUrl }: { client: WebClient; publicUrl: string | undefined },
  error: CodedError,
  body: object,
): void {
  const cause: unknown = error.original
  logger.warn({ reason: String(cause) }, 'there is no token to answer a request from Slack')
  const message = unauthorizedText(cause, publicUrl)
  const target = readReplyTarget(body)
  const { type, event }: SlackPayload = body
  const { function_execution_id, bot_access_token: token } = event ?? {}
  const step = function_execution_id && token ? { function_execution_id, token } : undefined
  if (!step && !target.responseUrl) {
    if (type === 'view_submission' || type === 'block_actions') throw error
    return
  }
  const answer = (): Promise<unknown> =>
    step
      ? client.functions.completeError({ ...step, error: message })
      : replies.send(client, target, problemMessage([message]))
  // In the background, because Bolt acknowledges the request only after this function has returned.
  tasks.runInBackground(answer, 'a request without a token could not be answered')
}

export function unauthorizedText(cause: unknown, publicUrl: string | undefined): string {
  if (cause instanceof NotInstalledError || cause instanceof KeyringError) {
    const where = publicUrl ? ` at ${withoutSlash(publicUrl)}/slack/install` : ''
    return `Backhalf isn’t installed in this workspace, or has lost its access. An admin can install it${where}.`
  }
  return cause instanceof DatabaseUnavailableError
    ? errorTexts(cause).join(' ')
    : 'Backhalf can’t access Slack right now. Try again in a minute.'
}
