import { hostnameTest, type Connection } from '../../workspaces/connection.ts'
import { findDifferences, type Difference } from '../../port/differences.ts'
import type { ActionsBlock } from '@slack/types'
import { createHash } from 'node:crypto'
import { SPECIFICATION } from '../../port/capabilities.ts'
import type { LinkDetails } from '../../port/links.ts'
import { createOperation, type Operation } from '../../port/operation.ts'
import type { CreateRequest } from '../../contract/link-requests.ts'
import type { Shortlink } from '../../contract/shortlink.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import { within } from '../../timing/clock.ts'
import type { CreatedLink, CreatedLinks, StoredLink } from '../../workspaces/created-links.ts'
import type { RecentUtm } from '../../workspaces/settings.ts'
import { filledUtm, type UtmValues } from '../../workspaces/utm.ts'
import { linkMenu } from '../block-kit/link-menu.ts'
import type { Notice } from '../block-kit/notices.ts'
import { toShownLink, type ShownLink } from '../block-kit/shown-link.ts'
import type { WorkspaceLinkService } from '../links/workspace-link-service.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import type { FieldError } from '../platform/field-errors.ts'
import type { Platform } from '../platform/platform.ts'
import { DeadResponseUrlError } from '../platform/replies.ts'
import { isTemporary } from '../platform/slack-errors.ts'
import {
  completeDraft,
  checkDraft,
  collectIssues,
  refusedDestinations,
  templateIssues,
  type CheckedRequest,
} from './create-request.ts'
import type { Approvals } from './approval/approvals.ts'
import type { Draft } from './draft.ts'
import { DuplicateError, findDuplicate, type CreatedBy } from './duplicate/find-duplicate.ts'
import { linkCreatedMessage, linkPictureMessage, plainLinkMessage } from './link-created.ts'
import { findLookalike } from './lookalike.ts'
import type { PreviewImages } from './preview-images.ts'

export type Shortener = ReturnType<typeof createShortener>

export function createShortener(
  { clock, linkService, logger, permissions, qrPictures, replies, settings }: LinkPlatform,
  {
    linkRecord,
    previewImages,
    approvals,
  }: { linkRecord: LinkRecord; previewImages: PreviewImages; approvals: Approvals },
) {
  return {
    /**
     * Commands, forms, checklists and workflows all make their links here.
     *
     * @param slackId an ID from Slack, such as a view's or a trigger's: the same ID makes the same link
     * @param found what is already wrong with the user's input; then no link is made
     * @param mayAsk whether approvers can be asked; if not, other destinations are refused
     * @throws WaitingError, DuplicateError, SlackInputError, LinkServiceError, NotConnectedError
     */
    async shorten(
      caller: Caller,
      typed: Draft,
      slackId: string,
      {
        operation = createOperation({ clock }),
        found = [],
        isApproved = false,
        mayAsk = true,
      }: ShortenOptions = {},
    ): Promise<ShownLink> {
      const { workspace } = caller
      const workspaceSettings = await settings.read(workspace.id)
      if (workspaceSettings.mayShorten !== 'everyone') await permissions.checkMayShorten(caller)
      const connection = await linkService.connection(workspace)
      const { domains } = connection
      const { naming } = workspaceSettings
      const capabilities = await linkService.known(workspace)
      const draft = completeDraft(typed, workspaceSettings, capabilities)
      const issues = [...found, ...templateIssues(typed, workspaceSettings)]
      const { preview_image: file } = draft
      const image = file && (await collectIssues(issues, previewImages.fetch(caller, file)))
      const rules = {
        ...{ domains, naming, capabilities, found: issues, now: clock.now() },
        destinations: isApproved
          ? undefined
          : mayAsk
            ? refusedDestinations(workspaceSettings)
            : workspaceSettings.destinations,
      }
      const checked = checkDraft(draft, rules)
      if (!isApproved) {
        const { destinations: allowed } = workspaceSettings
        // What “in 3 days” means doesn’t depend on when it is approved.
        const { expires_at } = checked
        const asked = { ...typed, ...(expires_at !== undefined && { expires_at }) }
        await approvals.ask(caller, asked, slackId, {
          destination: checked.destination_url,
          allowed,
        })
      }
      const request = { ...checked, ...(image && { preview_image: image }) }
      const qr = draft.qr_code_enabled && { qrColor: draft.qr_code_color ?? DEFAULT_COLOR }
      const lookalike = findLookalike(linkService, workspace, domains, checked)
      const shortlink = await linkService
        .create(caller, request, {
          idempotencyKey: idempotencyKey(slackId, request),
          operation,
          allowsDuplicate: draft.allows_duplicate,
        })
        .catch(async (error: unknown) => {
          const duplicate = await findDuplicate(linkService, error, workspace, checked, {
            operation,
          })
          if (!duplicate) throw error
          const createdBy = await linkRecord.whoCreated(caller, duplicate)
          const { name, enabled } = duplicate
          const rights = enabled === false && (await permissions.readRights(caller, [duplicate]))
          const canTurnOn =
            rights && rights.capabilities.update && rights.changeable.has(duplicate.shortlink_url)
          const existing = {
            ...toShownLink(duplicate, clock.now()),
            qrColor: qr ? qr.qrColor : undefined,
            changeable: canTurnOn ? { name, enabled } : undefined,
          }
          throw new DuplicateError(existing, createdBy, {
            backHalf: draft.back_half,
            cause: error,
          })
        })
      const utm = filledUtm(draft)
      await linkRecord.add(caller, shortlink, request, utm)
      const { expires_at: end } = request
      return {
        ...shortlink,
        utm,
        ...qr,
        hasPublicQr: shortlink.qr_code_enabled,
        lookalike: await lookalike,
        differences: [
          ...findDifferences(request, shortlink),
          ...otherDomain(connection, request, shortlink),
        ],
        ...(end !== undefined && { expiresAt: Date.parse(end) }),
        changeable: { name: shortlink.name },
      }
    },

    async deliver(
      caller: Caller,
      target: ReplyTarget,
      link: ShownLink,
      { notice, isShared = false }: DeliverOptions = {},
    ): Promise<void> {
      const { client } = caller
      const [source, menu] = await Promise.all([
        qrPictures.source(caller, link),
        buildMenu(linkService, caller, link),
      ])
      const sent = replies.sendWithPicture(client, target, source, {
        build: ({ picture: state, direct }) => {
          const shareable = !direct && !target.inChannel && !isShared
          return linkCreatedMessage(link, { picture: state, shareable, menu, notice })
        },
        buildPicture: (picture) => linkPictureMessage(link, picture),
      })
      await sent.catch(async (err: unknown) => {
        if (isTemporary(err) || err instanceof DeadResponseUrlError) throw err
        // Slack refuses something in the message. The user must get the link anyway.
        logger.error({ err }, 'Slack refused the message of a link')
        await replies.send(client, target, plainLinkMessage(link, notice))
      })
    },
  }
}

interface ShortenOptions {
  operation?: Operation
  found?: readonly FieldError[]
  isApproved?: boolean
  mayAsk?: boolean
}

interface DeliverOptions {
  notice?: Notice | undefined
  isShared?: boolean
}

/**
 * The key is made from what Slack sent, so that a redelivery or a double click is the same create, and from the
 * request, so that a corrected form is another create.
 */
export function idempotencyKey(slackId: string, request: CreateRequest): string {
  const { preview_image: image, ...fields } = request
  // The same for the same fields, in any order.
  const values = Object.entries(fields).sort()
  const hash = createHash('sha256').update(JSON.stringify([slackId, values, image?.filename]))
  if (image) hash.update(image.bytes)
  return hash.digest('base64url')
}

function otherDomain(
  connection: Connection,
  { domain }: CheckedRequest,
  { shortlink_url }: Pick<Shortlink, 'shortlink_url'>,
): Difference[] {
  const url = new URL(shortlink_url)
  if (hostnameTest(connection, domain)(url)) return []
  const wanted = connection.domains.find(({ name }) => name === domain)?.domain_name ?? domain
  return [{ field: 'domain', wanted, found: url.host }]
}

async function buildMenu(
  linkService: WorkspaceLinkService,
  { workspace }: Caller,
  { name, state, changeable }: ShownLink,
): Promise<ActionsBlock['elements']> {
  if (name === undefined) return []
  const capabilities = await linkService.capabilities(workspace).catch(() => SPECIFICATION)
  if (!capabilities.update && !capabilities.delete && !capabilities.clicks) return []
  const mayChange = changeable !== undefined
  return linkMenu({ name, enabled: state !== 'off' }, { capabilities, mayChange })
}

/** An answer waits until its link is recorded, so that the user can post the link at once and see its card. */
const RECORDED_WITHIN_MS = 500

/** Never rejects: failures are only logged. */
export type LinkRecord = ReturnType<typeof createLinkRecord>

export function createLinkRecord(
  { tasks, logger, clock }: Platform,
  { createdLinks, recentUtm }: { createdLinks: Omit<CreatedLinks, 'list'>; recentUtm: RecentUtm },
) {
  async function logged<T>(work: () => Promise<T>, failed: string): Promise<T | undefined> {
    return tasks.track(work).catch((err: unknown) => {
      logger.error({ err }, failed)
      return undefined
    })
  }

  const find = (
    { workspace }: Caller,
    url: string,
    name?: string,
  ): Promise<StoredLink | undefined> =>
    logged(
      () => createdLinks.find(workspace.id, url, name),
      'the record of links could not be read',
    )

  return {
    async add(
      { workspace, userId }: Caller,
      link: Shortlink,
      request: CreateRequest,
      utm: UtmValues,
    ): Promise<void> {
      const created = { ...toCreatedLink(link, request), createdBy: userId }
      const recorded = logged(
        () => createdLinks.add(workspace.id, created),
        'a new link could not be added to the record of links',
      )
      if (userId !== undefined && Object.keys(utm).length > 0) {
        tasks.runInBackground(
          () => recentUtm.save(workspace.id, userId, utm),
          'the UTM values of a new link could not be stored',
        )
      }
      await within(clock, RECORDED_WITHIN_MS, recorded)
    },

    async whoCreated(
      caller: Caller,
      { name, shortlink_url: shortUrl }: Pick<Shortlink, 'name' | 'shortlink_url'>,
    ): Promise<CreatedBy | undefined> {
      const { createdBy, createdAt } = (await find(caller, shortUrl, name)) ?? {}
      return createdBy !== undefined && createdAt !== undefined
        ? { by: createdBy, at: createdAt }
        : undefined
    },

    async follow({ workspace }: Caller, shortUrl: string, link: LinkDetails): Promise<void> {
      await logged(
        () => createdLinks.follow(workspace.id, shortUrl, toCreatedLink(link)),
        'a changed link could not be changed in the record of links',
      )
    },

    async remove({ workspace }: Caller, name: string): Promise<void> {
      await logged(
        () => createdLinks.remove(workspace.id, name),
        'a deleted link could not be removed from the record of links',
      )
    },

    isKnown: async (caller: Caller, url: string): Promise<boolean> =>
      (await find(caller, url)) !== undefined,
  }
}

/** What the service's answer leaves out is taken from the request that made the link. */
function toCreatedLink(link: LinkDetails, request: Partial<CreateRequest> = {}): CreatedLink {
  const hasPreview = (link.is_custom_preview ?? request.is_custom_preview) !== false
  return {
    shortUrl: link.shortlink_url,
    name: link.name,
    ...(request.expires_at !== undefined && { expiresAt: Date.parse(request.expires_at) }),
    destinationUrl: link.destination_url,
    title: link.title ?? request.title,
    ...(hasPreview && {
      previewTitle: link.preview_title ?? request.preview_title,
      previewDescription: link.preview_description ?? request.preview_description,
      previewImageUrl: link.preview_image,
    }),
  }
}
