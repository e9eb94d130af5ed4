import type { WebClient } from '@slack/web-api'
import { linkNotShared, linkShared } from './blocks/link-created.ts'
import type { LinkRef } from './blocks/link-ref.ts'
import type { QrPictures } from './qr-pictures.ts'
import type { Replies } from './replies.ts'
import type { ReplyTarget } from './reply-target.ts'

/** Shows links to everybody in a conversation, also where the app is not a member. */
export interface Sharing {
  /**
   * Shares a link. An impatient second click on the same element shares nothing twice.
   *
   * @param place the message or form in which it was asked for
   */
  share(client: WebClient, target: ReplyTarget, ref: LinkRef, place: string): Promise<void>
}

export function createSharing({
  replies,
  qrPictures,
}: {
  replies: Replies
  qrPictures: QrPictures
}): Sharing {
  const underWay = new Set<string>()

  async function share(client: WebClient, target: ReplyTarget, ref: LinkRef): Promise<void> {
    const picture = ref.qrColor
      ? await qrPictures.picture(client, { text: ref.shortUrl, color: ref.qrColor })
      : undefined
    const { userId } = target
    await replies.sendWithPicture(client, { ...target, inChannel: true }, picture, (shown) =>
      shown.direct ? linkNotShared(ref) : linkShared(ref, { by: userId, picture: shown.picture }),
    )
  }

  return {
    async share(client, target, ref, place) {
      const key = `${target.userId} ${place} ${ref.shortUrl}`
      if (underWay.has(key)) return
      underWay.add(key)
      await share(client, target, ref).finally(() => underWay.delete(key))
    },
  }
}
