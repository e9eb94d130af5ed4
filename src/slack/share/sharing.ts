import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { isQrPicture, type LinkRef, type QrState } from '../block-kit/shown-link.ts'
import type { Caller } from '../platform/caller.ts'
import type { Platform } from '../platform/platform.ts'
import type { ReplyTarget } from '../platform/reply-target.ts'
import { notSharedMessage, qrMessage, sharedLinkMessage } from './share-messages.ts'

/** How long after sharing a second click counts as the same click, in milliseconds. */
const SAME_CLICK_MS = 2_000

/** Shows links in conversations, including those that the app is not in. */
export interface Sharing {
  /**
   * Shows a link to everyone in the conversation. A second click on the same element shares nothing.
   *
   * @param place identifies the message or the form that the user clicked in
   * @returns false if Slack did not allow it: then the user gets the link as a direct message
   */
  share(caller: Caller, target: ReplyTarget, ref: LinkRef, place: string): Promise<boolean>
  /** Shows a link's QR code to the user. */
  showQr(caller: Caller, target: ReplyTarget, ref: LinkRef): Promise<void>
  /** The QR picture of a link, in its color or else in black. */
  pictureOf(caller: Caller, ref: LinkRef): Promise<QrState>
}

export function createSharing({
  clock,
  replies,
  qrPictures,
}: Pick<Platform, 'clock' | 'replies' | 'qrPictures'>): Sharing {
  /** The clicks that are being handled, or were handled a moment ago. */
  const clicks = new Map<string, number>()

  async function pictureOf(
    caller: Caller,
    { shortUrl: text, qrColor: color = DEFAULT_COLOR }: LinkRef,
  ): Promise<QrState> {
    return qrPictures.picture(caller, { text, color })
  }

  async function post(caller: Caller, target: ReplyTarget, ref: LinkRef): Promise<boolean> {
    const picture = ref.qrColor ? await pictureOf(caller, ref) : undefined
    const { userId: by } = target
    let shared = true
    await replies.sendWithPicture(
      caller.client,
      { ...target, inChannel: true },
      picture,
      (delivery) => {
        shared = !delivery.direct
        return shared
          ? sharedLinkMessage(ref, {
              by,
              ...(isQrPicture(delivery.picture) && { picture: delivery.picture }),
            })
          : notSharedMessage(ref)
      },
    )
    return shared
  }

  return {
    async share(caller, target, ref, place) {
      for (const [click, end] of clicks) if (end <= clock.now()) clicks.delete(click)
      const click = `${target.userId} ${place} ${ref.shortUrl}`
      if (clicks.has(click)) return true
      clicks.set(click, Infinity)
      try {
        const shared = await post(caller, target, ref)
        clicks.set(click, clock.now() + SAME_CLICK_MS)
        return shared
      } catch (error) {
        clicks.delete(click)
        throw error
      }
    },

    async showQr(caller, target, ref) {
      const picture = await pictureOf(caller, ref)
      await replies.sendWithPicture(caller.client, target, picture, (delivery) =>
        qrMessage(ref, delivery.picture),
      )
    },

    pictureOf,
  }
}
