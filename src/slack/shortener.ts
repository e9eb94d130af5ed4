import { DEFAULT_COLOR } from '../qr/png.ts'
import type { SettingsStore } from '../workspaces/settings.ts'
import type { Admission } from './admission.ts'
import { AlreadyShortenedError } from './already-shortened-error.ts'
import { linkCreated, type CreatedLink } from './blocks/link-created.ts'
import type { Caller } from './caller.ts'
import type { ExistingLinks } from './existing-links.ts'
import { idempotencyKey } from './idempotency-key.ts'
import { checkDraft } from './input/create-request.ts'
import { utmOf, type Draft } from './input/draft.ts'
import { applyNaming } from './input/naming-rules.ts'
import { settleDraft } from './input/settled-draft.ts'
import type { LinkRecord } from './link-record.ts'
import type { Links } from './links.ts'
import type { PreviewImages } from './shorten/preview-images.ts'
import type { QrPictures } from './qr-pictures.ts'
import type { Replies } from './replies.ts'
import type { ReplyTarget } from './reply-target.ts'
import type { UsedUtm } from './used-utm.ts'

/** The main job: from what somebody typed to a short URL with its QR image. */
export interface Shortener {
  /**
   * Settles by the workspace's settings what was left open, checks what was typed, fetches the
   * preview image and makes the link. Every link is made here, whoever asks for it and where.
   *
   * @param slackId the view's or trigger's id that Slack sent: the same one makes the same link
   * @throws AlreadyShortenedError, SlackInputError, LinkServiceError, NotConnectedError
   */
  shorten(caller: Caller, draft: Draft, slackId: string): Promise<CreatedLink>
  /** Sends the link and its QR image to whoever asked. */
  deliver(caller: Caller, target: ReplyTarget, created: CreatedLink): Promise<void>
}

export function createShortener({
  settings,
  admission,
  links,
  existingLinks,
  linkRecord,
  usedUtm,
  previewImages,
  qrPictures,
  replies,
}: {
  settings: SettingsStore
  admission: Admission
  links: Links
  existingLinks: ExistingLinks
  linkRecord: LinkRecord
  usedUtm: UsedUtm
  previewImages: PreviewImages
  qrPictures: QrPictures
  replies: Replies
}): Shortener {
  return {
    async shorten(caller, typed, slackId) {
      const { workspace, client, token } = caller
      await admission.check(caller)
      const set = await settings.read(workspace.id)
      const { domains } = await links.connection(workspace)
      const settled = settleDraft(typed, set)
      const draft = { ...settled, ...applyNaming(settled, set.naming).values }
      const checked = checkDraft(draft, domains, set.naming)
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
      const utm = utmOf(draft)
      usedUtm.keep(caller, utm)
      return { shortlink, utm, ...qr }
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
