import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import { linkNotShared, linkShared } from './blocks/link-created.ts'
import type { LinkRef } from './blocks/link-ref.ts'
import type { QrPictures } from './qr-pictures.ts'
import type { Replies } from './replies.ts'
import type { ReplyTarget } from './reply-target.ts'

/** How long after a sharing another click of the same kind still belongs to it, in milliseconds. */
const SAME_CLICK_MS = 2_000

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
  wait = (ms) => sleep(ms, undefined, { ref: false }),
}: {
  replies: Replies
  qrPictures: QrPictures
  wait?: (ms: number) => Promise<unknown>
}): Sharing {
  /** What is being shared, or was just now. */
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
      const forget = (): boolean => underWay.delete(key)
      await share(client, target, ref).catch((error: unknown) => {
        forget()
        throw error
      })
      void wait(SAME_CLICK_MS).then(forget)
    },
  }
}
