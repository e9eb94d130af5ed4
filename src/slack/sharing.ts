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
   * @returns false where Slack didn't let it: the person has got the link as a direct message then
   */
  share(client: WebClient, target: ReplyTarget, ref: LinkRef, place: string): Promise<boolean>
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

  async function share(client: WebClient, target: ReplyTarget, ref: LinkRef): Promise<boolean> {
    const picture = ref.qrColor
      ? await qrPictures.picture(client, { text: ref.shortUrl, color: ref.qrColor })
      : undefined
    const { userId: by } = target
    let shared = true
    await replies.sendWithPicture(
      client,
      { ...target, inChannel: true },
      picture,
      ({ direct, picture: shown }) => {
        shared = !direct
        return direct ? linkNotShared(ref) : linkShared(ref, { by, picture: shown })
      },
    )
    return shared
  }

  return {
    async share(client, target, ref, place) {
      const key = `${target.userId} ${place} ${ref.shortUrl}`
      if (underWay.has(key)) return true
      underWay.add(key)
      const forget = (): boolean => underWay.delete(key)
      const shared = await share(client, target, ref).catch((error: unknown) => {
        forget()
        throw error
      })
      void wait(SAME_CLICK_MS).then(forget)
      return shared
    },
  }
}
