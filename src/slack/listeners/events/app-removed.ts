import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import type { Deps } from '../../deps.ts'

type Removed = SlackEventMiddlewareArgs<'app_uninstalled' | 'tokens_revoked'> & AllMiddlewareArgs

/** The app was taken out of a workspace, or lost its bot token, which comes to the same. */
export const appRemoved =
  ({ removal }: Deps) =>
  async ({ event, body, context }: Removed): Promise<void> => {
    if (event.type === 'tokens_revoked' && !event.tokens.bot?.length) return
    const { teamId, enterpriseId, isEnterpriseInstall } = context
    const id = isEnterpriseInstall ? enterpriseId : (teamId ?? enterpriseId)
    if (id) await removal.removed(id, body.event_time)
  }
