import { fieldsOfKind, without } from '../contract/link-fields.ts'
import type { CreateRequest } from '../contract/link-requests.ts'
import { LISTED_FIELDS } from '../contract/shortlink.ts'
import { failureOf, LinkServiceError, NetworkError } from '../port/failures.ts'
import type { CallOptions, CreateOptions, LinkQuery } from '../port/link-service.ts'
import { hasBackHalf, timeOf, type LinkPage, type ListedLink } from '../port/links.ts'
import { listNewest } from '../port/newest-links.ts'
import type { RunCall } from './calls.ts'
import type { Requests, TimedResponse } from './requests.ts'

export interface ReceivedPage {
  page: LinkPage
  response: TimedResponse
}

interface LostCreate {
  request: CreateRequest
  failure: LinkServiceError
  sinceMs: number
  isOnDomain: (shortUrl: URL) => boolean
}

type SearchResult = ListedLink | 'none' | 'unknown'

/**
 * Sends a create until it succeeds, but never creates two links. If a response gets lost, `findLost` looks for the
 * link, and the create is sent again only if the link service doesn't have it.
 * @throws failure `uncertain` if it finds a link that might be older than the lost request
 */
export function createOnce(
  call: RunCall,
  options: CallOptions,
  send: (signal: AbortSignal) => Promise<ListedLink>,
  findLost: (lost: LinkServiceError, signal: AbortSignal) => Promise<SearchResult>,
): Promise<ListedLink> {
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
    async findResult(error, uncertain, signal) {
      if (error !== uncertain && !failureOf(error, 'duplicate', 'back_half_taken', 'conflict')) {
        return undefined
      }
      const found = await findLost(uncertain, signal)
      return typeof found === 'object' ? found : undefined
    },
  })
}

/**
 * Creates a link (`createOnce`) at a service that lists its newest links: if a response gets lost, the link is looked
 * for among them.
 */
export function createFindable(
  { call, clock }: Pick<Requests, 'call' | 'clock'>,
  { isOnDomain = () => true, ...options }: CreateOptions,
  {
    request,
    send,
    list,
  }: {
    request: CreateRequest
    send: (signal: AbortSignal) => Promise<ListedLink>
    list: (query: LinkQuery, signal: AbortSignal) => Promise<ReceivedPage>
  },
): Promise<ListedLink> {
  const sinceMs = clock.now()
  return createOnce(call, options, send, (failure, signal) =>
    findOwnLink({ request, failure, sinceMs, isOnDomain }, (query) => list(query, signal)),
  )
}

/**
 * Decides whether a create can be retried. After a timeout or an error 500, it can't, because the service might still
 * be creating the link.
 */
function canBeSentAgain(error: LinkServiceError): boolean {
  if (!error.mayHaveHappened) return error.retryable
  return error instanceof NetworkError || error.status === 502
}

const MAX_PAGES = 3
const PER_PAGE = 20

/**
 * Looks for a lost create's link among the newest links.
 * @returns 'none' if the create has certainly created no link; 'unknown' if the list doesn't show whether it has
 * @throws failure `uncertain` if a link fits the request, but its age doesn't show whether this create or an earlier
 *   one created it
 */
async function findOwnLink(
  create: LostCreate,
  list: (query: LinkQuery) => Promise<ReceivedPage>,
): Promise<SearchResult> {
  let previous = Infinity
  for (let number = 1; number <= MAX_PAGES; number++) {
    const received = await listNewest(list, { page: number, perPage: PER_PAGE }).catch(noPage)
    if (!received) return 'unknown'
    const { links, skipped, hasNext } = received.page
    const found = links.map((link) => {
      return { link, age: compareAge(link, received.response, create.sinceMs) }
    })
    const candidates = found.filter(({ link, age }) => age !== 'older' && fitsRequest(link, create))
    const ours = candidates.find(({ age }) => age === 'newer')
    if (ours) return ours.link
    if (candidates[0]) throw existsError(candidates[0].link, create.failure)
    // Our link might be one of those that could not be read. If the list is not sorted, it might be on any page.
    const times = [
      previous,
      ...links.map(({ created_at }) => timeOf(created_at)).filter((time) => !Number.isNaN(time)),
    ]
    const isSorted = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0))
    if (skipped > 0 || !isSorted) return 'unknown'
    if (!hasNext || found.at(-1)?.age === 'older') return 'none'
    previous = times.at(-1) ?? previous
  }
  // Without times, the service is trusted to list the newest links first (spec §4.3).
  return previous === Infinity ? 'none' : 'unknown'
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

/**
 * Ignores an error of the link service. Without a list, for example if the key is not allowed to list links, it stays
 * unknown whether the create has created a link.
 */
function noPage(error: unknown): undefined {
  if (!(error instanceof LinkServiceError)) throw error
}

const COMPARED = without(LISTED_FIELDS, [
  ...fieldsOfKind('url', 'image', 'instant', 'tags'),
  'enabled',
])

function fitsRequest(link: ListedLink, { request, isOnDomain }: LostCreate): boolean {
  const shortUrl = new URL(link.shortlink_url)
  return (
    URL.parse(link.destination_url)?.href === URL.parse(request.destination_url)?.href &&
    isOnDomain(shortUrl) &&
    hasBackHalf(shortUrl, request.back_half) &&
    COMPARED.every((name) => link[name] === undefined || link[name] === (request[name] ?? false))
  )
}

const CERTAINLY_OLDER_MS = 5_000
const SKEW_ERROR_MS = 1_000

/**
 * Compares the time at which a link was created with the start of our create. The link's time is by the service's
 * clock, so the Date header is used to convert between the two clocks.
 */
function compareAge(
  link: ListedLink,
  response: TimedResponse,
  sinceMs: number,
): 'newer' | 'older' | 'unclear' {
  const created = timeOf(link.created_at)
  const { sentAtMs, receivedAtMs } = response
  // The Date header is in whole seconds.
  const dateMs = Date.parse(response.header('date') ?? '')
  if (Number.isNaN(dateMs) || Number.isNaN(created)) return 'unclear'
  // If the Date header fits our clock, the clocks agree.
  const agree = dateMs <= receivedAtMs && dateMs + 1_000 > sentAtMs
  const skew = agree ? 0 : dateMs + 500 - receivedAtMs
  const start = sinceMs + skew - (agree ? 0 : SKEW_ERROR_MS)
  // A service that stores whole seconds rounds the time down.
  const earliest = created % 1_000 === 0 ? Math.floor(start / 1_000) * 1_000 : start
  if (created < start - CERTAINLY_OLDER_MS) return 'older'
  const isInTheFuture = created > receivedAtMs + skew + SKEW_ERROR_MS
  return created >= earliest && !isInTheFuture ? 'newer' : 'unclear'
}
