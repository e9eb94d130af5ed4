import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'

/** Draws the Home tab for whoever opens it. */
export const appHomeOpened =
  ({ homes }: Deps) =>
  async ({
    event,
    client,
    context,
    body,
  }: SlackEventMiddlewareArgs<'app_home_opened'> & AllMiddlewareArgs): Promise<void> => {
    if (event.tab !== 'home') return
    await homes.open(callerOf(context, client, body), event.user, event.view === undefined)
  }
