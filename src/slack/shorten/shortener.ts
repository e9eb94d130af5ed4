import { createHash } from 'node:crypto'
import type { Overflow } from '@slack/types'
import { createOperation, type Operation } from '../../client/operation.ts'
import { OUR_CREATE_FIELDS } from '../../contract/link-fields.ts'
import type { CreateRequest } from '../../contract/link-requests.ts'
import { NO_OFFERS } from '../../contract/offers.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { applyNaming, utmOf } from '../../workspaces/utm.ts'
import { linkMenu } from '../block-kit/link-menu.ts'
import type { ShownLink } from '../block-kit/shown-link.ts'
import type { LinkService } from '../links/link-service.ts'
import type { Links } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import type { Platform } from '../platform/platform.ts'
import { DeadResponseUrlError } from '../platform/reply-routes.ts'
import { isTemporary } from '../platform/slack-errors.ts'
import { applyDefaults, checkDraft } from './create-request.ts'
import type { Draft } from './draft.ts'
import { DuplicateError } from './duplicate/duplicate-error.ts'
import { findDuplicate } from './duplicate/find-duplicate.ts'
import { linkCreatedMessage, linkPictureMessage, plainLinkMessage } from './link-created.ts'
import type { LinkRecord } from './link-record.ts'
import type { PreviewImages } from './preview-images.ts'

/** Turns what the user typed into a short URL with its QR image. */
export interface Shortener {
  /**
   * Makes a link: completes the draft from the workspace's settings, checks it, fetches the preview image
   * and calls the link service. Commands, forms, checklists and workflows all make their links here.
   *
   * @param slackId an ID from Slack, such as a view's or a trigger's: the same ID makes the same link
   * @param operation what the link is part of; by default, it is an operation of its own
   * @throws DuplicateError, SlackInputError, LinkServiceError, NotConnectedError
   */
  shorten(caller: Caller, draft: Draft, slackId: string, operation?: Operation): Promise<ShownLink>
  /** Sends the link and its QR image to the user. */
  deliver(caller: Caller, target: ReplyTarget, link: ShownLink): Promise<void>
}

export function createShortener(
  platform: Platform & Links,
  { linkRecord, previewImages }: { linkRecord: LinkRecord; previewImages: PreviewImages },
): Shortener {
  const { clock, settings, linkService, permissions } = platform
  return {
    async shorten(caller, typed, slackId, operation = createOperation({ clock })) {
      const { workspace } = caller
      const workspaceSettings = await settings.read(workspace.id)
      if (workspaceSettings.mayShorten !== 'everyone') await permissions.checkMayShorten(caller)
      const { domains } = await linkService.connection(workspace)
      const completed = applyDefaults(typed, workspaceSettings)
      const { naming } = workspaceSettings
      const draft = { ...completed, ...applyNaming(completed, naming).values }
      const hasOurs = OUR_CREATE_FIELDS.some((name) => draft[name])
      const offered = hasOurs ? (await linkService.offersSoon(workspace)).fields : []
      const checked = checkDraft(draft, { domains, naming, offered, now: clock.now() })
      const image = draft.preview_image && (await previewImages.fetch(caller, draft.preview_image))
      const request = { ...checked, ...(image && { preview_image: image }) }
      const qr = draft.qr_code_enabled && { qrColor: draft.qr_code_color ?? DEFAULT_COLOR }
      const shortlink = await linkService
        .create(workspace, request, idempotencyKey(slackId, request), operation)
        .catch(async (error: unknown) => {
          const duplicate = await findDuplicate(linkService, error, workspace, checked, {
            operation,
          })
          if (!duplicate) throw error
          const madeBy = await linkRecord.whoMade(caller, duplicate.shortlink_url)
          const { name, enabled } = duplicate
          const canTurnOn = enabled === false && (await linkService.offersSoon(workspace)).update
          const existing = {
            shortlink: duplicate,
            utm: {},
            ...qr,
            ...(canTurnOn && { changeable: { name, enabled } }),
          }
          throw new DuplicateError(existing, madeBy, {
            backHalf: draft.back_half,
            cause: error,
          })
        })
      const utm = utmOf(draft)
      await linkRecord.add(caller, shortlink, request, utm)
      const { expires_at: end } = request
      return {
        shortlink,
        utm,
        ...qr,
        ...(end !== undefined && { expiresAt: Date.parse(end) }),
        changeable: { name: shortlink.name },
      }
    },

    deliver: (caller, target, link) => deliverLink(platform, caller, target, link),
  }
}

/**
 * The `Idempotency-Key` of a create. It is made from what Slack sent (such as the ID of a view or a trigger), so
 * that a redelivery or a double click is the same create, and from the request, so that a corrected form
 * is another create.
 */
export function idempotencyKey(slackId: string, request: CreateRequest): string {
  const { preview_image: image, ...fields } = request
  // The same for the same fields, in any order.
  const values = Object.entries(fields).sort()
  const hash = createHash('sha256').update(JSON.stringify([slackId, values, image?.filename]))
  if (image) hash.update(image.bytes)
  return hash.digest('base64url')
}

/** Sends a link to the user at once, and its QR picture as soon as Slack shows it. */
export async function deliverLink(
  {
    linkService,
    logger,
    qrPictures,
    replies,
  }: Pick<Platform & Links, 'linkService' | 'logger' | 'qrPictures' | 'replies'>,
  caller: Caller,
  target: ReplyTarget,
  link: ShownLink,
): Promise<void> {
  const { client } = caller
  const { qrColor: color, shortlink } = link
  const picture = color
    ? qrPictures.picture(caller, { text: shortlink.shortlink_url, color })
    : undefined
  const menu = await menuOf(linkService, caller, link)
  const sent = replies.sendThenAddPicture(client, target, picture, {
    build: ({ picture: state, direct }) =>
      linkCreatedMessage(link, { picture: state, shareable: !direct && !target.inChannel, menu }),
    buildPicture: (shown) => linkPictureMessage(link, shown),
  })
  await sent.catch(async (err: unknown) => {
    if (isTemporary(err) || err instanceof DeadResponseUrlError) throw err
    // Slack refuses something in the message. The user must get the link anyway.
    logger.error({ err }, 'Slack refused the message of a link')
    await replies.send(client, target, plainLinkMessage(link))
  })
}

/** The menu below a link that the user may change; undefined if the link service offers nothing for it. */
async function menuOf(
  linkService: LinkService,
  { workspace }: Caller,
  { changeable }: ShownLink,
): Promise<Overflow | undefined> {
  if (!changeable) return undefined
  const offers = await linkService.offersSoon(workspace).catch(() => NO_OFFERS)
  if (!offers.update && !offers.delete && !offers.clicks) return undefined
  return linkMenu(changeable, { offers, mayChange: true, share: 'Share in a channel' })
}
