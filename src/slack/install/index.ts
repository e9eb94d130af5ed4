import type { App } from '@slack/bolt'
import { WebClient, type WebClientOptions } from '@slack/web-api'
import { EVENTS } from '../ids.ts'
import type { Platform } from '../platform/platform.ts'
import type { Removal } from './removal.ts'
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
