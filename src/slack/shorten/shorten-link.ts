import { hostnameTest, type Connection } from '../../workspaces/connection.ts'
import { findDifferences, type Difference } from '../../port/differences.ts'
import type { ActionsBlock } from '@slack/types'
import { createHash } from 'node:crypto'
import { SPECIFICATION } from '../../port/capabilities.ts'
import { createOperation, type Operation } from '../../port/operation.ts'
import type { CreateRequest } from '../../contract/link-requests.ts'
import type { Shortlink } from '../../contract/shortlink.ts'
import { DEFAULT_COLOR } from '../../qr/qr-code.ts'
import type { LinkApprovals } from '../../workspaces/link-approvals.ts'
import { filledUtm } from '../../workspaces/utm.ts'
import { linkMenu } from '../block-kit/link-menu.ts'
import type { Notice } from '../block-kit/notices.ts'
import { toShownLink, type ShownLink } from '../block-kit/shown-link.ts'
import type { WorkspaceLinkService } from '../links/workspace-link-service.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import type { FieldError } from '../platform/field-errors.ts'
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
import { askApprovers } from './approval/ask-approvers.ts'
import type { Draft } from './draft.ts'
import { DuplicateError, findDuplicate } from './duplicate/find-duplicate.ts'
import { linkCreatedMessage, linkPictureMessage, plainLinkMessage } from './link-created.ts'
import type { LinkRecord } from './link-record.ts'
import { findLookalike } from './lookalike.ts'
import type { PreviewImages } from './preview-images.ts'

export interface Shortener {
  /**
   * Commands, forms, checklists and workflows all create their links here.
   *
   * @param slackId an ID from Slack, such as a view's or a trigger's: the same ID creates the same link
   * @throws WaitingError, DuplicateError, SlackInputError, LinkServiceError, NotConnectedError
   */
  shorten(
    caller: Caller,
    typed: Draft,
    slackId: string,
    options?: ShortenOptions,
  ): Promise<ShownLink>
  deliver(
    caller: Caller,
    target: ReplyTarget,
    link: ShownLink,
    options?: DeliverOptions,
  ): Promise<void>
}

interface ShortenOptions {
  operation?: Operation
  /** What is already wrong with the user's input. Then no link is created. */
  found?: readonly FieldError[]
  isApproved?: boolean
  /** Whether approvers can be asked. If not, other destinations are refused. */
  mayAsk?: boolean
}

interface DeliverOptions {
  notice?: Notice | undefined
  isShared?: boolean
}

export function createShortener(
  { clock, linkService, logger, permissions, qrPictures, replies, settings }: LinkPlatform,
  {
    linkRecord,
    previewImages,
    approvals,
  }: { linkRecord: LinkRecord; previewImages: PreviewImages; approvals: LinkApprovals },
): Shortener {
  return {
    async shorten(caller, typed, slackId, options = {}) {
      const { operation = createOperation({ clock }), found = [] } = options
      const { isApproved = false, mayAsk = true } = options
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
        await askApprovers({ logger, store: approvals }, caller, asked, {
          slackId,
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

    async deliver(caller, target, link, { notice, isShared = false } = {}) {
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
