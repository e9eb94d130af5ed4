import type { Logger } from 'pino'
import type { Operation } from '../../client/operation.ts'
import { isAboutPermission } from '../../client/conflict.ts'
import { ApiError } from '../../client/errors.ts'
import type {
  CallOptions,
  ClickRange,
  DomainList,
  EditOptions,
  LinkClicks,
  LinkClient,
  LinkDetails,
  LinkPage,
  LinkQuery,
  ReadLink,
} from '../../client/link-client.ts'
import { timeOf } from '../../client/responses.ts'
import type { Offers } from '../../contract/offers.ts'
import type { Shortlink } from '../../contract/shortlink.ts'
import type { CreateRequest, UpdateRequest } from '../../contract/link-requests.ts'
import { createRequestMemory } from '../../http/request-context.ts'
import { isOnDomain, NotConnectedError, type Connection } from '../../workspaces/connection.ts'
import type { ReminderStore } from '../../workspaces/reminders.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { createKnownOffers, type KnownOffersOptions } from './known-offers.ts'

/**
 * The link service that a workspace is connected to. Only `create` and `list` are offered by every link
 * service; use the others only if `offers` says so.
 */
export interface LinkService {
  /** @throws NotConnectedError */
  connection(workspace: Workspace): Promise<Connection>
  /**
   * Which calls beyond the specification the link service offers, as far as is known. If it was asked more
   * than a day ago, it is asked again in the background.
   *
   * @throws NotConnectedError
   */
  offers(workspace: Workspace): Promise<Offers>
  /**
   * The same, but waits up to a second and a half if nothing is known yet. Call it only after the
   * acknowledgement.
   *
   * @throws NotConnectedError
   */
  offersSoon(workspace: Workspace): Promise<Offers>
  /**
   * @param operation what the call is part of; by default, it is an operation of its own
   * @throws LinkServiceError, NotConnectedError
   */
  create(
    workspace: Workspace,
    request: CreateRequest,
    idempotencyKey: string,
    operation?: Operation,
  ): Promise<Shortlink>
  /** @throws LinkServiceError, NotConnectedError */
  list(workspace: Workspace, query: LinkQuery, options?: CallOptions): Promise<LinkPage>
  /** @throws LinkServiceError, NotConnectedError */
  listDomains(workspace: Workspace, options?: CallOptions): Promise<DomainList>
  /** @throws LinkServiceError, NotConnectedError */
  get(workspace: Workspace, name: string, options?: CallOptions): Promise<ReadLink>
  /** @throws LinkServiceError, NotConnectedError */
  update(
    workspace: Workspace,
    name: string,
    changes: UpdateRequest,
    options?: EditOptions,
  ): Promise<ReadLink>
  /** @throws LinkServiceError, NotConnectedError */
  remove(workspace: Workspace, name: string, options?: EditOptions): Promise<void>
  /** @throws LinkServiceError, NotConnectedError */
  clicks(
    workspace: Workspace,
    name: string,
    range?: ClickRange,
    options?: CallOptions,
  ): Promise<LinkClicks>
}

/** The link service refused a workspace's key, or what every key should be allowed to do. */
export interface RefusedKey {
  workspaceId: string
  apiKey: string
  error: ApiError
}

export function createLinkService({
  workspaces,
  linkClient,
  reminders,
  logger,
  onRefusedKey,
  ...options
}: KnownOffersOptions & {
  workspaces: Pick<Workspaces, 'connection' | 'keepOffers'>
  /** The record of when links expire, which changes with them. */
  reminders: Pick<ReminderStore, 'setExpiry'>
  logger: Logger
  onRefusedKey: (refused: RefusedKey) => void
}): LinkService {
  const knownOffers = createKnownOffers({ workspaces, linkClient, ...options })

  /** The user gets an explanation; the log gets the details for the person who runs the app. */
  function logAndRethrow(error: unknown): never {
    const { name, message, status, code, requestId } = error as Partial<ApiError>
    // Our own service answers with our request ID. Another service may answer with its own.
    const details = { name, message, status, code, serviceRequestId: requestId }
    logger.warn(details, 'a call to the link service failed')
    throw error
  }

  const connections = createRequestMemory<Connection>()

  async function readConnection(workspace: Workspace): Promise<Connection> {
    const found = await workspaces.connection(workspace)
    if (!found) throw new NotConnectedError()
    connections.set(workspace.id, found)
    return found
  }

  async function connection(workspace: Workspace): Promise<Connection> {
    return connections.get(workspace.id) ?? readConnection(workspace)
  }

  /** Offers may have been stored since the request began. Those to the deployment's own key are never stored. */
  async function connectionWithOffers(workspace: Workspace): Promise<Connection> {
    const known = connections.get(workspace.id)
    return known?.offers || known?.source === 'configured' ? known : readConnection(workspace)
  }

  async function call<T>(
    workspace: Workspace,
    make: (client: LinkClient, connection: Connection) => Promise<T>,
    isRefusal: (error: ApiError) => boolean = ({ status }) => status === 401,
  ): Promise<T> {
    const found = await connection(workspace)
    const { apiKey } = found
    return make(linkClient(apiKey), found).catch((error: unknown) => {
      if (error instanceof ApiError && isRefusal(error)) {
        onRefusedKey({ workspaceId: workspace.id, apiKey, error })
      }
      return logAndRethrow(error)
    })
  }

  return {
    connection,
    create: (workspace, request, idempotencyKey, operation) =>
      call(
        workspace,
        (client, found) => {
          const isOnDomain = hostnameTest(found, request.domain)
          return client.create(request, { idempotencyKey, operation, isOnDomain })
        },
        (error) => error.status === 401 || isAboutPermission(error),
      ),
    offers: async (workspace) => knownOffers.now(workspace, await connectionWithOffers(workspace)),
    offersSoon: async (workspace) =>
      knownOffers.soon(workspace, await connectionWithOffers(workspace)),
    list: (workspace, ...args) => call(workspace, (client) => client.list(...args)),
    listDomains: (workspace, ...args) => call(workspace, (client) => client.listDomains(...args)),
    get: (workspace, ...args) => call(workspace, (client) => client.get(...args)),
    async update(workspace, name, ...args) {
      const read = await call(workspace, (client) => client.update(name, ...args))
      options.tasks.runInBackground(
        () => reminders.setExpiry(workspace.id, name, expiryOf(read.link)),
        'the recorded expiry of a link could not be changed',
      )
      return read
    },
    remove: (workspace, ...args) => call(workspace, (client) => client.remove(...args)),
    clicks: (workspace, ...args) => call(workspace, (client) => client.clicks(...args)),
  }
}

/** Milliseconds since 1970; undefined if the link doesn't expire, or is turned off. */
function expiryOf({ enabled, expires_at: text }: LinkDetails): number | undefined {
  return text === undefined || enabled === false ? undefined : timeOf(text)
}

/**
 * Tells whether a short URL is on a domain record of the workspace. The deployment's own configuration names
 * the record but not its hostname: then any URL may be.
 */
export function hostnameTest(
  { source, domains }: Connection,
  domain: string,
): (shortUrl: URL) => boolean {
  const record = domains.find(({ name }) => name === domain)
  return (url) => source === 'configured' || (record !== undefined && isOnDomain(url, record))
}
