import { DEFAULT_COLOR } from '../qr/png.ts'
import { AlreadyShortenedError } from './already-shortened-error.ts'
import { linkCreated, type CreatedLink } from './blocks/link-created.ts'
import type { Caller } from './caller.ts'
import type { ExistingLinks } from './existing-links.ts'
import { idempotencyKey } from './idempotency-key.ts'
import { checkDraft, utmOf } from './input/create-request.ts'
import type { Draft } from './input/draft.ts'
import type { LinkRecord } from './link-record.ts'
import type { Links } from './links.ts'
import type { PreviewImages } from './preview-images.ts'
import type { QrPictures } from './qr-pictures.ts'
import type { Replies } from './replies.ts'
import type { ReplyTarget } from './reply-target.ts'

/** The main job: from what somebody typed to a short URL with its QR image. */
export interface Shortener {
  /**
   * Checks what was typed, fetches the preview image and makes the link.
   *
   * @param slackId the view's or trigger's id that Slack sent: the same one makes the same link
   * @throws AlreadyShortenedError, SlackInputError, LinkServiceError, NotConnectedError
   */
  shorten(caller: Caller, draft: Draft, slackId: string): Promise<CreatedLink>
  /** Sends the link and its QR image to whoever asked. */
  deliver(caller: Caller, target: ReplyTarget, created: CreatedLink): Promise<void>
}

export function createShortener({
  links,
  existingLinks,
  linkRecord,
  previewImages,
  qrPictures,
  replies,
}: {
  links: Links
  existingLinks: ExistingLinks
  linkRecord: LinkRecord
  previewImages: PreviewImages
  qrPictures: QrPictures
  replies: Replies
}): Shortener {
  return {
    async shorten(caller, draft, slackId) {
      const { workspace, client, token } = caller
      const { domains } = await links.connection(workspace)
      const checked = checkDraft(draft, domains)
      const image =
        draft.preview_image && (await previewImages.fetch(client, token, draft.preview_image))
      const request = { ...checked, ...(image && { preview_image: image }) }
      const qr = draft.qr_code_enabled && { qrColor: draft.qr_code_color ?? DEFAULT_COLOR }
      const shortlink = await links
        .create(workspace, request, idempotencyKey(slackId, request))
        .catch(async (error: unknown) => {
          const existing = await existingLinks.behind(error, workspace, checked)
          if (!existing) throw error
          const made = await linkRecord.whoMade(caller, existing.shortlink_url)
          throw new AlreadyShortenedError({ shortlink: existing, utm: {}, ...qr }, made, error)
        })
      linkRecord.add(caller, shortlink, request)
      return { shortlink, utm: utmOf(draft), ...qr }
    },
    async deliver({ client }, target, created) {
      const { qrColor, shortlink } = created
      const picture =
        qrColor === undefined
          ? undefined
          : await qrPictures.picture(client, { text: shortlink.shortlink_url, color: qrColor })
      await replies.sendWithPicture(client, target, picture, ({ picture: shown, direct }) =>
        linkCreated(created, { picture: shown, shareable: !direct && !target.inChannel }),
      )
    },
  }
}
