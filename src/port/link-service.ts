import type {
  DashboardRole,
  DomainRecord,
  LinkClicks,
  SignInRequest,
  UsedTag,
} from '../contract/extension-calls.ts'
import type { CreateRequest, UpdateRequest } from '../contract/link-requests.ts'
import type { ListQuery } from '../contract/list-query.ts'
import type { Report, ReportQuery } from '../contract/report.ts'
import type { Capabilities } from './capabilities.ts'
import { failureOf } from './failures.ts'
import type { LinkPage, ListedLink, ReadLink } from './links.ts'
import type { Operation } from './operation.ts'

/** The kinds of link services that have a driver. `backhalf` is any service that follows the specification. */
export const SERVICE_KINDS = ['backhalf', 'kutt', 'shlink', 'dub', 'yourls'] as const

export type ServiceKind = (typeof SERVICE_KINDS)[number]

/**
 * A link service as the app sees it, called with one API key. A call that fails throws a LinkServiceError, and one that
 * the caller aborts throws the signal's reason. The app uses an optional call only if the capabilities promise it.
 */
export interface LinkService {
  /**
   * Creates a link. If the response gets lost, the driver looks for the link before it sends the request again.
   * @throws failure `uncertain` if it finds a link that might be older than the lost request
   * @throws ZodError if the request violates the contract
   */
  create: (request: CreateRequest, options: CreateOptions) => Promise<ListedLink>
  list: (query?: LinkQuery, options?: CallOptions) => Promise<LinkPage>
  /** Asks the service what it can do, and never rejects. @returns undefined if that is unknown for now */
  readCapabilities: () => Promise<Capabilities | undefined>

  get?: (name: string, options?: CallOptions) => Promise<ReadLink>
  /**
   * @throws failure `changed` if the link has changed since it was read
   * @throws failure `gone` if the link doesn't exist
   * @throws ZodError if a change violates the contract
   */
  update?: (name: string, changes: UpdateRequest, options?: EditOptions) => Promise<ReadLink>
  /**
   * @throws failure `changed` if the link has changed since it was read
   * @throws failure `gone` if the link didn't exist before the call
   */
  remove?: (name: string, options?: EditOptions) => Promise<void>
  clicks?: (name: string, options?: CallOptions) => Promise<LinkClicks>
  listDomains?: (options?: CallOptions) => Promise<{ domains: DomainRecord[]; hasMore: boolean }>
  /**
   * Checks domain records without creating a link.
   * @returns for each record, why the service refuses it, or undefined if the service accepts it. The whole result is
   *   undefined if the service can't check records
   */
  tryDomains?: (
    names: readonly string[],
    options?: CallOptions,
  ) => Promise<(string | undefined)[] | undefined>
  tags?: (options?: CallOptions) => Promise<UsedTag[]>
  report?: (query?: Partial<ReportQuery>, options?: CallOptions) => Promise<Report>
  signIn?: (person: string, request: SignInRequest) => Promise<SignInAddress>
  endSessions?: (filter: {
    person_id?: string | undefined
    role?: DashboardRole | undefined
  }) => Promise<void>
  erasePerson?: (id: string) => Promise<void>
}

/** Returns an optional call of a driver. @throws Error if the driver lacks it, although its capabilities promise it */
export function offered<Call>(call: Call | undefined): Call {
  if (call === undefined) throw new Error('the driver lacks a call that it declares')
  return call
}

export interface CallOptions {
  operation?: Operation | undefined
  signal?: AbortSignal | undefined
}

interface EditOptions extends CallOptions {
  etag?: string | undefined
  createdBy?: string | undefined
}

export interface CreateOptions extends CallOptions, Pick<EditOptions, 'createdBy'> {
  /** Lets the service recognize a repeated request, even if Slack delivers the user's request twice. */
  idempotencyKey: string
  isOnDomain?: ((shortUrl: URL) => boolean) | undefined
  allowsDuplicate?: boolean | undefined
}

export type LinkQuery = Partial<ListQuery>

/** A one-time link to the dashboard. Its `url` is a secret: anyone who opens it first is signed in as the user. */
export interface SignInAddress {
  url: string
  expires_at: string
}

// Every service accepts this page size, because it is the default (spec §4.3).
const DEFAULT_PAGE_SIZE = 10

type List<P> = (query: LinkQuery) => Promise<P>

/** The specification has no maximum page size (spec §8). If `per_page` is refused, the default size is requested. */
export async function listPage<P>(list: List<P>, query: LinkQuery): Promise<P> {
  return list(query).catch((error: unknown) => {
    if (!failureOf(error, 'invalid')) throw error
    return list({ ...query, per_page: DEFAULT_PAGE_SIZE })
  })
}

export async function listNewest<P>(list: List<P>, page: number, perPage: number): Promise<P> {
  return listPage(list, { page, per_page: perPage, sort_by: 'most_recent', order: 'desc' })
}

const SEARCHED_LINKS = 100

export async function findNewestTo<L extends { destination_url: string }>(
  destination: string | undefined,
  list: List<{ links: readonly L[] }>,
  isWanted: (link: L) => boolean,
): Promise<L | undefined> {
  const href = URL.parse(destination ?? '')?.href
  if (href === undefined) return undefined
  const { links } = await listNewest(list, 1, SEARCHED_LINKS)
  return links.find((link) => URL.parse(link.destination_url)?.href === href && isWanted(link))
}
