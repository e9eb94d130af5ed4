import { fieldsOfKind, without } from '../contract/link-fields.ts'
import type { CreateRequest } from '../contract/link-requests.ts'
import { LISTED_FIELDS } from '../contract/shortlink.ts'
import { CONFLICTS, failureOf, LinkServiceError, NetworkError } from '../port/failures.ts'
import { listNewest, type CreateOptions, type LinkQuery } from '../port/link-service.ts'
import { hasBackHalf, timeOf, type LinkPage, type ListedLink } from '../port/links.ts'
import type { Requests, TimedResponse } from './requests.ts'

export interface ReceivedPage {
  page: LinkPage
  response: TimedResponse
}

interface LostCreate {
  request: CreateRequest
  failure: LinkServiceError
  startedAtMs: number
  isOnDomain: (shortUrl: URL) => boolean
}

/**
 * Creates a link, with retries, but never creates two links. If a response gets lost, it looks for the link among the
 * newest links, and sends the request again only if the service doesn't have the link.
 * @throws failure `uncertain` if the link that is found might be older than the lost request
 */
export function createFindable(
  { call, clock }: Pick<Requests, 'call' | 'clock'>,
  { isOnDomain = () => true, ...options }: CreateOptions,
  request: CreateRequest,
  send: (signal: AbortSignal) => Promise<ListedLink>,
  list: (query: LinkQuery, signal: AbortSignal) => Promise<ReceivedPage>,
): Promise<ListedLink> {
  const startedAtMs = clock.now()
  const findLost = (failure: LinkServiceError, signal: AbortSignal) =>
    findOwnLink({ request, failure, startedAtMs, isOnDomain }, (query) => list(query, signal))

  async function attempt(signal: AbortSignal, uncertain?: LinkServiceError): Promise<ListedLink> {
    if (uncertain) {
      const found = await findLost(uncertain, signal)
      if (found === 'unknown') throw uncertain
      if (found !== 'none') return found
    }
    return send(signal)
  }

  return call('create', options, attempt, {
    isRetryable: canBeSentAgain,
    async findResult(lastError, uncertain, signal) {
      // Our own link might be the one with which a later attempt conflicts.
      const isConflict = failureOf(lastError, ...CONFLICTS)
      if (lastError !== uncertain && !isConflict) return undefined
      const found = await findLost(uncertain, signal)
      return typeof found === 'object' ? found : undefined
    },
  })
}

/** False after a timeout or an error 500, because the service might still be creating the link. */
export function canBeSentAgain(error: LinkServiceError): boolean {
  if (!error.mayHaveHappened) return error.retryable
  return error instanceof NetworkError || error.status === 502
}

const MAX_PAGES = 3
const PER_PAGE = 20

/**
 * Looks for the link of a lost response among the newest links.
 * @returns 'none' if our request has certainly created no link; 'unknown' if the list doesn't show whether it has
 * @throws failure `uncertain` if a link fits our request, but might be older than it
 */
async function findOwnLink(create: LostCreate, list: (query: LinkQuery) => Promise<ReceivedPage>) {
  let oldestTime = Infinity
  for (let number = 1; number <= MAX_PAGES; number++) {
    const received = await listNewest(list, number, PER_PAGE).catch((error: unknown) => {
      // For example, the key might not have the permission to list links.
      if (error instanceof LinkServiceError) return undefined
      throw error
    })
    if (!received) return 'unknown'
    const { links, skipped, hasNext } = received.page
    const aged = links.map((link) => {
      return { link, age: compareAge(link, received.response, create.startedAtMs) }
    })
    const candidates = aged.filter(({ link, age }) => age !== 'older' && fitsRequest(link, create))
    const ours = candidates.find(({ age }) => age === 'newer')
    if (ours) return ours.link
    if (candidates[0]) throw existsError(candidates[0].link, create.failure)
    // Our link might be an item that could not be read.
    if (skipped > 0) return 'unknown'
    for (const link of links) {
      const time = timeOf(link.created_at)
      // In a list that is not sorted, our link might be on any page.
      if (time > oldestTime) return 'unknown'
      if (!Number.isNaN(time)) oldestTime = time
    }
    if (!hasNext || aged.at(-1)?.age === 'older') return 'none'
  }
  // If no link has a time, the service is trusted to list the newest links first (spec §4.3).
  return oldestTime === Infinity ? 'none' : 'unknown'
}

export function duplicateError(link: ListedLink): LinkServiceError {
  return new LinkServiceError('The destination already has a link.', {
    failure: { kind: 'duplicate', link },
  })
}

export function existsError(link: ListedLink, cause: unknown): LinkServiceError {
  return new LinkServiceError('A response got lost, and there is a link to the same destination.', {
    failure: { kind: 'uncertain', link },
    mayHaveHappened: true,
    cause,
  })
}

const COMPARED_FIELDS = without(LISTED_FIELDS, [
  ...fieldsOfKind('url', 'image', 'instant', 'tags'),
  'enabled',
])

function fitsRequest(link: ListedLink, { request, isOnDomain }: LostCreate): boolean {
  const shortUrl = new URL(link.shortlink_url)
  return (
    URL.parse(link.destination_url)?.href === URL.parse(request.destination_url)?.href &&
    isOnDomain(shortUrl) &&
    hasBackHalf(shortUrl, request.back_half) &&
    COMPARED_FIELDS.every(
      (name) => link[name] === undefined || link[name] === (request[name] ?? false),
    )
  )
}

const CERTAINLY_OLDER_MS = 5_000
const SKEW_ERROR_MS = 1_000

/** The link's time is from the service's clock, so the response's Date header converts between the two clocks. */
function compareAge(link: ListedLink, response: TimedResponse, startedAtMs: number) {
  const created = timeOf(link.created_at)
  const { sentAtMs, receivedAtMs } = response
  // The Date header is in whole seconds.
  const dateMs = Date.parse(response.header('date') ?? '')
  if (Number.isNaN(dateMs) || Number.isNaN(created)) return 'unclear'
  const clocksAgree = dateMs <= receivedAtMs && dateMs + 1_000 > sentAtMs
  const skew = clocksAgree ? 0 : dateMs + 500 - receivedAtMs
  const start = startedAtMs + skew - (clocksAgree ? 0 : SKEW_ERROR_MS)
  // A service that stores whole seconds rounds times down, so our start is rounded down, too.
  const earliest = created % 1_000 === 0 ? Math.floor(start / 1_000) * 1_000 : start
  if (created < start - CERTAINLY_OLDER_MS) return 'older'
  const isInTheFuture = created > receivedAtMs + skew + SKEW_ERROR_MS
  return created >= earliest && !isInTheFuture ? 'newer' : 'unclear'
}
