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
import type { LinkServiceMetrics } from '../metrics/app-metrics.ts'
import type { Clock } from '../timing/clock.ts'
import type { Capabilities } from './capabilities.ts'
import type { LinkPage, ListedLink, ReadLink } from './links.ts'
import type { Operation } from './operation.ts'

/**
 * A link service, called with one API key. Every failure of the service or of the network is a LinkServiceError. A caller
 * who aborts gets the signal's reason. Optional calls are used only if the capabilities say that they work.
 */
export interface LinkService {
  /**
   * Creates a link. If the response gets lost, the request is sent again only if the driver can find the link that it may
   * have created, or exclude that it did.
   *
   * @throws failure `uncertain` if there is a link that the lost attempt may have made; ZodError if the request violates the
   *   contract
   */
  create: (request: CreateRequest, options: CreateOptions) => Promise<ListedLink>
  /** By default, the first ten links, the newest first. */
  list: (query?: LinkQuery, options?: CallOptions) => Promise<LinkPage>
  /** Never rejects. @returns undefined if the service can't be asked right now */
  readCapabilities: () => Promise<Capabilities | undefined>

  /** @throws failure `gone` if there is no such link (anymore) */
  get?: (name: string, options?: CallOptions) => Promise<ReadLink>
  /**
   * Changes a link. If the answer gets lost, the change is sent again, which does no harm: it sets the same values.
   *
   * @returns the link after the change
   * @throws failure `changed` if the link has changed since it was read, or `gone`; ZodError if the change violates the
   *   contract
   */
  update?: (name: string, changes: UpdateRequest, options?: EditOptions) => Promise<ReadLink>
  /** @throws failure `changed` if the link has changed since it was read, or `gone` if it was gone before */
  remove?: (name: string, options?: EditOptions) => Promise<void>
  /** The clicks of the last 30 days. @throws failure `gone` */
  clicks?: (name: string, options?: CallOptions) => Promise<LinkClicks>
  listDomains?: (options?: CallOptions) => Promise<DomainList>
  /**
   * Finds out which domain records the service refuses, without making a link.
   *
   * @returns the complaints, one for each record; undefined if the service doesn't say
   */
  tryDomains?: (
    names: readonly string[],
    options?: CallOptions,
  ) => Promise<(string | undefined)[] | undefined>
  /** The tags of the key's links, the most used first. */
  tags?: (options?: CallOptions) => Promise<UsedTag[]>
  /** Counts the clicks of groups of links. */
  report?: (query?: Partial<ReportQuery>, options?: CallOptions) => Promise<Report>
  /** Asks for a one-time link of the dashboard. @param person the header that names who signs in */
  signIn?: (person: string, request: SignInRequest) => Promise<SignInAddress>
  /** Signs people out of the dashboard who signed in through this key. */
  endSessions?: (which: EndedSessions) => Promise<void>
  /** Erases who a person is from the links of the key's owner and their history. */
  erasePerson?: (id: string) => Promise<void>
}

/** What a driver needs to call a service. */
export interface ServiceAccess<Transport> {
  transport: Transport
  /** The service's address. It may have a path. */
  baseUrl: string
  apiKey: string
  clock?: Clock
  /** The ID of what the caller works on: 32 hex digits. Undefined if it has none. */
  requestId?: () => string | undefined
  /** Undefined: nothing is measured. */
  metrics?: LinkServiceMetrics | undefined
}

export interface CallOptions {
  /** The operation that the call is part of; by default, an operation of its own. */
  operation?: Operation | undefined
  signal?: AbortSignal | undefined
}

export interface EditOptions extends CallOptions {
  /** The ETag of the link when it was read. If the link has changed since, nothing is done. */
  etag?: string | undefined
  /** Who acts (src/contract/person.ts). */
  madeBy?: string | undefined
}

export interface CreateOptions extends CallOptions, Pick<EditOptions, 'madeBy'> {
  /** The same for every delivery of the same request from Slack. */
  idempotencyKey: string
  /** Whether a short URL is on the domain that the request names; by default, any is. */
  isOnDomain?: ((shortUrl: URL) => boolean) | undefined
  /** Whether the person wants another link although the destination has one (`usedDestination`). */
  allowsDuplicate?: boolean | undefined
}

/** What to list. Every service has pages; use the rest only if the capabilities say so. */
export type LinkQuery = Partial<ListQuery>

/** The domain records that a key can use. */
export interface DomainList {
  domains: DomainRecord[]
  /** Whether there are more than these. */
  hasMore: boolean
}

/** Where a person signs in to the dashboard. The `url` is a secret: who opens it first is signed in as the person. */
export interface SignInAddress {
  url: string
  expires_at: string
}

/** Which sessions of a key end: all, unless there are conditions. */
export interface EndedSessions {
  person_id?: string | undefined
  role?: DashboardRole | undefined
}
