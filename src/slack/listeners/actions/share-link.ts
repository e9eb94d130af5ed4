import { linkShared } from '../../blocks/link-created.ts'
import type { Deps } from '../../deps.ts'
import { parseLinkRef } from '../../input/link-ref.ts'
import { replyTarget } from '../../reply-target.ts'
import type { ActionArgs } from './action-args.ts'
import { buttonValue } from './button-value.ts'

/** “Share in channel”: for everybody, and also where the app is not a member. */
export const shareLink =
  ({ replies, qrPictures }: Deps) =>
  async ({ ack, action, body, client }: ActionArgs): Promise<void> => {
    await ack()
    const ref = parseLinkRef(buttonValue(action))
    const target = { ...replyTarget(body), inChannel: true }
    const picture =
      ref.qrColor && (await qrPictures.picture(client, { text: ref.shortUrl, color: ref.qrColor }))
    await replies.sendWithPicture(client, target, picture || undefined, (shown) =>
      linkShared(ref, { by: target.userId, picture: shown }),
    )
  }
