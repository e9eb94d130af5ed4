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
import type { LinkPage, ListedLink, ReadLink } from './links.ts'
import type { Operation } from './operation.ts'

/** The kinds of link services that have a driver. `backhalf` is any that follows the specification. */
export const SERVICE_KINDS = ['backhalf', 'kutt', 'shlink', 'dub', 'yourls'] as const

export type ServiceKind = (typeof SERVICE_KINDS)[number]

/**
 * A link service as the app sees it, called with one API key. Every failure of the service or of the network is a
 * LinkServiceError, but if the caller aborts, the signal's reason is thrown. The app uses an optional call only if the
 * capabilities say that it works.
 */
export interface LinkService {
  /**
   * Creates a link. If the response gets lost, the driver looks for the link, and sends the request again only if it
   * finds none.
   * @throws failure `uncertain` if it finds a link that might be older than the lost request; ZodError if the request
   *   violates the contract
   */
  create: (request: CreateRequest, options: CreateOptions) => Promise<ListedLink>
  list: (query?: LinkQuery, options?: CallOptions) => Promise<LinkPage>
  /** Asks the service what it can do, and never rejects. @returns undefined if the service can't be asked right now */
  readCapabilities: () => Promise<Capabilities | undefined>

  get?: (name: string, options?: CallOptions) => Promise<ReadLink>
  /** @throws failure `changed` if the link has changed since it was read, or `gone`; ZodError for an invalid change */
  update?: (name: string, changes: UpdateRequest, options?: EditOptions) => Promise<ReadLink>
  /** @throws failure `changed` if the link has changed since it was read, or `gone` if it was gone before */
  remove?: (name: string, options?: EditOptions) => Promise<void>
  clicks?: (name: string, options?: CallOptions) => Promise<LinkClicks>
  listDomains?: (options?: CallOptions) => Promise<{ domains: DomainRecord[]; hasMore: boolean }>
  /**
   * Checks domain records without creating a link. Returns for each record why the service refuses it, or undefined if
   * it is accepted. If the service can't check records, the whole result is undefined.
   */
  tryDomains?: (
    names: readonly string[],
    options?: CallOptions,
  ) => Promise<(string | undefined)[] | undefined>
  tags?: (options?: CallOptions) => Promise<UsedTag[]>
  report?: (query?: Partial<ReportQuery>, options?: CallOptions) => Promise<Report>
  signIn?: (person: string, request: SignInRequest) => Promise<SignInAddress>
  endSessions?: (which: {
    person_id?: string | undefined
    role?: DashboardRole | undefined
  }) => Promise<void>
  erasePerson?: (id: string) => Promise<void>
}

export interface CallOptions {
  operation?: Operation | undefined
  signal?: AbortSignal | undefined
}

export interface EditOptions extends CallOptions {
  etag?: string | undefined
  createdBy?: string | undefined
}

export interface CreateOptions extends CallOptions, Pick<EditOptions, 'createdBy'> {
  /**
   * Identifies the create, so that the service runs it only once. It stays the same if Slack delivers the user's
   * request again.
   */
  idempotencyKey: string
  isOnDomain?: ((shortUrl: URL) => boolean) | undefined
  allowsDuplicate?: boolean | undefined
}

export type LinkQuery = Partial<ListQuery>

/**
 * A one-time link that signs a person in to the dashboard. The `url` is a secret, because anyone who opens it first is
 * signed in as that person.
 */
export interface SignInAddress {
  url: string
  expires_at: string
}
