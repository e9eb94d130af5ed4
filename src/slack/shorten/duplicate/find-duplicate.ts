import type { CreateRequest } from '../../../contract/link-requests.ts'
import { backHalfOf, type ListedLink } from '../../../port/links.ts'
import { findNewestTo } from '../../../port/link-service.ts'
import type { Operation } from '../../../port/operation.ts'
import { failureOf } from '../../../port/failures.ts'
import { hostnameTest } from '../../../workspaces/connection.ts'
import type { RecordedLink } from '../../../workspaces/created-links.ts'
import type { Workspace } from '../../../workspaces/workspace.ts'
import type { LinkPlatform, WorkspaceLinkService } from '../../links/links.ts'
import { present } from '../../block-kit/elements.ts'
import { SEARCH_LENGTH } from '../../block-kit/list-position.ts'
import {
  STATE_STEPS,
  STATE_TEXTS,
  toShownLink,
  type ShownLink,
} from '../../block-kit/shown-link.ts'
import type { Caller } from '../../platform/caller.ts'
import { SlackInputError } from '../../platform/field-errors.ts'
import type { CheckedRequest } from '../create-request.ts'
import { type Draft, findDomain, wantedColor } from '../draft.ts'

const SEARCH_WITHIN_MS = 3_000

/** Finds the existing link after the service refused to create another: in its error, or among the newest links. */
export async function findDuplicate(
  linkService: WorkspaceLinkService,
  error: unknown,
  workspace: Workspace,
  request: CheckedRequest,
  operation: Operation,
  withinMs = SEARCH_WITHIN_MS,
): Promise<ListedLink | undefined> {
  const failure = failureOf(error, 'uncertain', 'duplicate')
  if (!failure || failure.link) return failure?.link
  const options = { operation, signal: AbortSignal.timeout(withinMs) }
  const isOnWantedDomain = hostnameTest(await linkService.connection(workspace), request.domain)
  return findNewestTo(
    request.destination_url,
    (query) => linkService.list(workspace, query, options),
    (link) => isOnWantedDomain(new URL(link.shortlink_url)),
    // If the key can't list links, or if the service is slow, the user sees the original error.
  ).catch(() => undefined)
}

type Creation = Pick<RecordedLink, 'createdBy' | 'created_at'>

/** Thrown if the destination already has a link, which the user can then use. */
export class DuplicateError extends SlackInputError {
  readonly link: ShownLink // The existing link, with the QR code that the user asked for.
  readonly record: Creation | undefined // Undefined if the link was not created in Slack.
  readonly unusedBackHalf: string | undefined // What the user asked for, if the existing link has another.

  constructor(
    link: ShownLink,
    record: Creation | undefined,
    { backHalf, cause }: { backHalf?: string | undefined; cause?: unknown } = {},
  ) {
    const { shortlink_url: url, state } = link
    const unused = unusedBackHalf(url, backHalf)
    const notes = present([
      state && `It ${STATE_TEXTS[state]}. ${STATE_STEPS[state]}, or use another destination.`,
      unused !== undefined && unusedText(unused),
    ])
    const fact = `This destination already has a short link: ${url}`
    // A dot directly after the URL could be read as its end.
    const message = notes.length > 0 ? `${fact}. ${notes.join(' ')}` : fact
    super([{ field: 'destination_url', message }], { cause })
    this.name = 'DuplicateError'
    this.link = link
    this.record = record
    this.unusedBackHalf = unused
  }
}

function unusedBackHalf(shortUrl: string, wanted: string | undefined): string | undefined {
  const path = URL.parse(shortUrl)?.pathname.slice(1) ?? ''
  return wanted?.toLowerCase() === path.toLowerCase() ? undefined : wanted
}

export function unusedText(backHalf: string): string {
  return `The back-half “${backHalf}” was not used.`
}

/** Finds a link in the app's own record. A failed read is logged, because the record only adds to what is shown. */
export function findRecord(
  { createdLinks, logger }: LinkPlatform,
  { workspace }: Caller,
  shortUrl: string,
  name?: string,
): Promise<RecordedLink | undefined> {
  return createdLinks.find(workspace.id, shortUrl, name).catch((err: unknown) => {
    logger.error({ err }, 'the record of links could not be read')
    return undefined
  })
}

/** Builds the error that offers the existing link, with the QR code that the user asked for. */
export async function explainDuplicate(
  platform: LinkPlatform,
  caller: Caller,
  draft: Draft,
  duplicate: ListedLink,
  cause: unknown,
): Promise<DuplicateError> {
  const { clock, permissions } = platform
  const { name, enabled, shortlink_url } = duplicate
  const record = await findRecord(platform, caller, shortlink_url, name)
  const rights = enabled === false && (await permissions.readRights(caller, [duplicate]))
  const existing = {
    ...toShownLink(duplicate, clock.now()),
    qrColor: wantedColor(draft),
    isChangeable: rights && rights.capabilities.update && rights.changeable.has(shortlink_url),
  }
  return new DuplicateError(existing, record, { backHalf: draft.back_half, cause })
}

const LOOKALIKE_WITHIN_MS = 1_500
const LOOKALIKES_READ = 100

/** Finds the short URL of a link whose back-half differs only in case. Never rejects, because it is only a hint. */
export async function findLookalike(
  linkService: WorkspaceLinkService,
  workspace: Workspace,
  { domain, back_half: backHalf = '' }: Pick<Partial<CreateRequest>, 'domain' | 'back_half'>,
): Promise<string | undefined> {
  if (!/[a-z]/i.test(backHalf)) return undefined
  try {
    const { domains } = await linkService.connection(workspace)
    const host = (findDomain(domain, domains) ?? domains[0])?.domain_name ?? ''
    const q = `${host}/${backHalf}`
    const { search, isMetered } = await linkService.capabilities(workspace)
    if (!search || isMetered || q.length > SEARCH_LENGTH.max) return undefined
    const signal = AbortSignal.timeout(LOOKALIKE_WITHIN_MS)
    const { links } = await linkService.list(
      workspace,
      { q, per_page: LOOKALIKES_READ },
      { signal },
    )
    const found = links.find((link) => {
      const other = backHalfOf(link)
      const isAlike = other !== backHalf && other.toLowerCase() === backHalf.toLowerCase()
      return isAlike && new URL(link.shortlink_url).host === host.toLowerCase()
    })
    return found?.shortlink_url
  } catch {
    return undefined
  }
}

export function lookalikeText(other: string): string {
  return `${other} differs only in upper and lower case, and leads elsewhere. On a poster, both look the same.`
}
