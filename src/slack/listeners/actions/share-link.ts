import { linkShared } from '../../blocks/link-created.ts'
import type { Deps } from '../../deps.ts'
import { parseLinkRef } from '../../input/link-ref.ts'
import { replyTarget } from '../../reply-target.ts'
import type { ActionArgs } from './action-args.ts'
import { buttonValue } from './button-value.ts'

/** “Share in channel”: for everybody, and also where the app is not a member. */
export const shareLink = ({ replies, qrPictures }: Deps) => {
  /** Messages whose link is being shared: an impatient second click shares nothing twice. */
  const underWay = new Set<string>()

  async function share({ action, body, client }: ActionArgs): Promise<void> {
    const ref = parseLinkRef(buttonValue(action))
    const target = { ...replyTarget(body), inChannel: true }
    const picture = ref.qrColor
      ? await qrPictures.picture(client, { text: ref.shortUrl, color: ref.qrColor })
      : undefined
    await replies.sendWithPicture(client, target, picture, (shown) =>
      linkShared(ref, { by: target.userId, picture: shown.picture }),
    )
  }

  return async (args: ActionArgs): Promise<void> => {
    await args.ack()
    const { container, user } = args.body
    const message = `${user.id} ${String(container['message_ts'])}`
    if (underWay.has(message)) return
    underWay.add(message)
    await share(args).finally(() => underWay.delete(message))
  }
}
