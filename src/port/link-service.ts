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
 * A link service, called with one API key. Every failure of the service or of the network is a
 * LinkServiceError. A caller who aborts gets the signal's reason. Optional calls are used only if the
 * capabilities say that they work.
 */
export interface LinkService {
  /**
   * Creates a link. If the response gets lost, the driver looks for the link, and sends the request again only if there is
   * none.
   *
   * @throws failure `uncertain` if it finds a link that might be older than the lost request; ZodError if the
   *   request violates the contract
   */
  create: (request: CreateRequest, options: CreateOptions) => Promise<ListedLink>
  list: (query?: LinkQuery, options?: CallOptions) => Promise<LinkPage>
  /** Never rejects. @returns undefined if the service can't be asked right now */
  readCapabilities: () => Promise<Capabilities | undefined>

  get?: (name: string, options?: CallOptions) => Promise<ReadLink>
  /** @throws failure `changed` if the link has changed since it was read, or `gone`; ZodError for an invalid change */
  update?: (name: string, changes: UpdateRequest, options?: EditOptions) => Promise<ReadLink>
  /** @throws failure `changed` if the link has changed since it was read, or `gone` if it was gone before */
  remove?: (name: string, options?: EditOptions) => Promise<void>
  clicks?: (name: string, options?: CallOptions) => Promise<LinkClicks>
  listDomains?: (options?: CallOptions) => Promise<{ domains: DomainRecord[]; hasMore: boolean }>
  /** Returns why each record is refused, without creating a link. Undefined if the service can't check records. */
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
  /** Stays the same if Slack delivers the request again. */
  idempotencyKey: string
  isOnDomain?: ((shortUrl: URL) => boolean) | undefined
  allowsDuplicate?: boolean | undefined
}

export type LinkQuery = Partial<ListQuery>

/** The `url` is a secret: the first person to open it is signed in as the person that it was requested for. */
export interface SignInAddress {
  url: string
  expires_at: string
}
