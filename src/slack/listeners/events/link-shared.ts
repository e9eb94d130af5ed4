import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'

/** Somebody posted links on the app's domains; while they still write, nothing is shown. */
export const linkShared =
  ({ unfurls }: Deps) =>
  async ({
    event: { source, channel, message_ts: ts, links },
    client,
    context,
    body,
  }: SlackEventMiddlewareArgs<'link_shared'> & AllMiddlewareArgs): Promise<void> => {
    if (source === 'composer') return
    const urls = links.map(({ url }) => url)
    await unfurls.show(callerOf(context, client, body), { channel, ts, urls })
  }
