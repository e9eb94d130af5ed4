import type { Deps } from '../../deps.ts'
import { parseLinkRef } from '../../input/link-ref.ts'
import { replyTarget } from '../../reply-target.ts'
import type { ActionArgs } from './action-args.ts'
import { buttonValue } from './button-value.ts'

/** “Share in channel”, under a link that was just made. */
export const shareLink =
  ({ sharing }: Deps) =>
  async ({ ack, action, body, client }: ActionArgs): Promise<void> => {
    await ack()
    const ref = parseLinkRef(buttonValue(action))
    await sharing.share(client, replyTarget(body), ref, String(body.container['message_ts']))
  }
