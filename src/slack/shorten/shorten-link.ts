import { createHash } from 'node:crypto'
import { isAllowedHost } from '../../contract/allowed-hosts.ts'
import type { CreateRequest } from '../../contract/link-requests.ts'
import { findDifferences } from '../../port/links.ts'
import type { Shortlink } from '../../contract/shortlink.ts'
import { createOperation, type Operation } from '../../port/operation.ts'
import { within } from '../../timing/clock.ts'
import { hostnameTest } from '../../workspaces/connection.ts'
import { filledUtm, type UtmValues } from '../../workspaces/utm.ts'
import type { ShownLink } from '../block-kit/shown-link.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import type { FieldError } from '../platform/field-errors.ts'
import { completeDraft, type Draft, templateIssues, wantedColor } from './draft.ts'
import { checkDraft, collectIssues, enforcedDestinations } from './create-request.ts'
import { askApprovers } from './approval/ask-approvers.ts'
import { explainDuplicate, findDuplicate, findLookalike } from './duplicate/find-duplicate.ts'

interface ShortenOptions {
  operation?: Operation
  issues?: readonly FieldError[] // Errors that the caller has found. If there are any, no link is created.
  approval?: 'ask' | 'given' | 'refuse' // What happens if the destination needs approval. `ask` by default.
}

/**
 * Creates a link. Commands, forms, checklists, imports and workflows all use this.
 * @param slackId an ID from Slack, such as a view's or a trigger's, so that a repeated request creates no second link
 * @throws WaitingError if approvers have been asked; DuplicateError if the destination already has a link;
 *   SlackInputError if the draft has errors or the user can't shorten links; and the errors of the link service
 */
export async function shortenLink(
  platform: ShortenPlatform,
  caller: Caller,
  typedDraft: Draft,
  slackId: string,
  options: ShortenOptions = {},
): Promise<ShownLink> {
  const { clock, linkService, permissions } = platform
  const { operation = createOperation(platform), approval = 'ask' } = options
  const { workspace } = caller
  const settings = await platform.settings.read(workspace.id)
  if (settings.mayShorten !== 'everyone') await permissions.checkMayShorten(caller)
  const connection = await linkService.connection(workspace)
  const { domains } = connection
  const capabilities = await linkService.knownCapabilities(workspace)
  const draft = completeDraft(typedDraft, settings, capabilities)
  const issues = [...(options.issues ?? []), ...templateIssues(typedDraft, settings)]
  const { preview_image: file } = draft
  const image = file && (await collectIssues(issues, platform.fetchPreviewImage(caller, file)))
  const destinations = approval === 'ask' ? enforcedDestinations(settings) : settings.destinations
  const checked = checkDraft(draft, {
    domains,
    naming: settings.naming,
    capabilities,
    knownIssues: issues,
    now: clock.now(),
    destinations: approval === 'given' ? undefined : destinations,
  })
  const { approvers, hosts = [] } = settings.destinations ?? {}
  const { destination_url, expires_at: end } = checked
  if (approval === 'ask' && approvers !== undefined && !isAllowedHost(destination_url, hosts)) {
    // “In 3 days” counts from now, not from the approval, so the approvers get the exact time.
    const exact = { ...typedDraft, destination_url, ...(end !== undefined && { expires_at: end }) }
    await askApprovers(platform, caller, exact, { slackId, approvers, hosts })
  }
  const request = { ...checked, ...(image && { preview_image: image }) }
  const lookalike = findLookalike(linkService, workspace, checked)
  const { allows_duplicate: allowsDuplicate } = draft
  const key = idempotencyKey(slackId, request)
  const shortlink = await linkService
    .create(caller, request, { idempotencyKey: key, operation, allowsDuplicate })
    .catch(async (error: unknown) => {
      const duplicate = await findDuplicate(linkService, error, workspace, checked, operation)
      throw duplicate ? await explainDuplicate(platform, caller, draft, duplicate, error) : error
    })
  const url = new URL(shortlink.shortlink_url)
  const wanted = domains.find(({ name }) => name === checked.domain)?.domain_name ?? checked.domain
  const hasDomain = hostnameTest(connection, checked.domain)(url)
  const utm = filledUtm(draft)
  await recordLink(platform, caller, shortlink, request, utm)
  return {
    ...shortlink,
    utm,
    qrColor: wantedColor(draft),
    hasPublicQr: shortlink.qr_code_enabled,
    lookalike: await lookalike,
    differences: [
      ...findDifferences(request, shortlink),
      ...(hasDomain ? [] : [{ field: 'domain' as const, wanted, found: url.host }]),
    ],
    expires_at: end,
    isChangeable: true,
  }
}

// The response waits this long for the record, because Slack shows a card only for a recorded link.
const RECORDED_WITHIN_MS = 500

/** Adds a new link to the app's own record of the links created in Slack. Logs a failure instead of throwing it. */
export async function recordLink(
  { clock, createdLinks, logger, recentUtm, tasks }: ShortenPlatform,
  { workspace, userId }: Caller,
  link: Shortlink,
  request: CreateRequest,
  utm: UtmValues,
): Promise<void> {
  const created = {
    ...link,
    // A response can leave these out.
    title: link.title ?? request.title,
    preview_title: link.preview_title ?? request.preview_title,
    preview_description: link.preview_description ?? request.preview_description,
    is_custom_preview: link.is_custom_preview ?? request.is_custom_preview,
    expires_at: request.expires_at,
    createdBy: userId,
  }
  const recorded = tasks
    .track(() => createdLinks.add(workspace.id, created))
    .catch((err: unknown) => logger.error({ err }, 'a new link could not be recorded'))
  if (userId !== undefined && Object.keys(utm).length > 0) {
    tasks.runInBackground(
      () => recentUtm.save(workspace.id, userId, utm),
      'the UTM values of a new link could not be stored',
    )
  }
  await within(clock, RECORDED_WITHIN_MS, recorded)
}

/** A request that Slack delivers again gets the same key, so that only one link is created. */
export function idempotencyKey(slackId: string, request: CreateRequest): string {
  const { preview_image: image, ...fields } = request
  // The fields are sorted, because their order must not change the key.
  const values = Object.entries(fields).sort()
  const hash = createHash('sha256').update(JSON.stringify([slackId, values, image?.filename]))
  if (image) hash.update(image.bytes)
  return hash.digest('base64url')
}
