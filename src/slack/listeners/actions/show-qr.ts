import { qrNotShown, qrShown } from '../../blocks/link-created.ts'
import { DEFAULT_COLOR } from '../../../qr/png.ts'
import type { Deps } from '../../deps.ts'
import { parseLinkRef } from '../../input/link-ref.ts'
import { replyTarget } from '../../reply-target.ts'
import type { ActionArgs } from './action-args.ts'
import { buttonValue } from './button-value.ts'

/** “Show QR code”, where the image could not be shown at once. */
export const showQr =
  ({ replies, qrPictures }: Deps) =>
  async ({ ack, action, body, client }: ActionArgs): Promise<void> => {
    await ack()
    const ref = parseLinkRef(buttonValue(action))
    const content = { text: ref.shortUrl, color: ref.qrColor ?? DEFAULT_COLOR }
    const picture = await qrPictures.picture(client, content)
    await replies.sendWithPicture(client, replyTarget(body), picture, ({ picture: shown }) =>
      shown ? qrShown(ref, shown) : qrNotShown(),
    )
  }
