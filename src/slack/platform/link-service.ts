import type { Logger } from 'pino'
import type { CreateRequest } from '../../contract/create-request.ts'
import type { ListQuery } from '../../contract/list-query.ts'
import type { Shortlink } from '../../contract/shortlink.ts'
import type { Act } from '../../client/act.ts'
import type { ApiError } from '../../client/errors.ts'
import type { CallOptions, LinkClient, LinkPage } from '../../client/link-client.ts'
import { isOnDomain, type Connection } from '../../workspaces/connection.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'

/** The workspace has no link service: it was never connected, or an admin disconnected it. */
export class NotConnectedError extends Error {
  constructor() {
    super('the workspace is not connected to a link service')
    this.name = 'NotConnectedError'
  }
}

/** The link service that a workspace is connected to. */
export interface LinkService {
  /** @throws NotConnectedError */
  connection(workspace: Workspace): Promise<Connection>
  /**
   * @param act what the call is part of; by default, it is an act of its own
   * @throws LinkServiceError, NotConnectedError
   */
  create(
    workspace: Workspace,
    request: CreateRequest,
    idempotencyKey: string,
    act?: Act,
  ): Promise<Shortlink>
  /** @throws LinkServiceError, NotConnectedError */
  list(workspace: Workspace, query: Partial<ListQuery>, options?: CallOptions): Promise<LinkPage>
}

export function createLinkService({
  workspaces,
  linkClient,
  logger,
}: {
  workspaces: Pick<Workspaces, 'connection'>
  /** Makes a client of the link service with this API key. */
  linkClient: (apiKey: string) => LinkClient
  logger: Logger
}): LinkService {
  /** The user gets an explanation; the log gets the details for the person who runs the app. */
  function logAndRethrow(error: unknown): never {
    const { name, message, status, code, requestId } = error as Partial<ApiError>
    logger.warn({ name, message, status, code, requestId }, 'a call to the link service failed')
    throw error
  }

  async function connection(workspace: Workspace): Promise<Connection> {
    const found = await workspaces.connection(workspace)
    if (!found) throw new NotConnectedError()
    return found
  }

  return {
    connection,
    async create(workspace, request, idempotencyKey, act) {
      const found = await connection(workspace)
      const options = { idempotencyKey, act, isOnDomain: hostnameTest(found, request.domain) }
      return linkClient(found.apiKey).create(request, options).catch(logAndRethrow)
    },
    async list(workspace, query, options) {
      const { apiKey } = await connection(workspace)
      return linkClient(apiKey).list(query, options).catch(logAndRethrow)
    },
  }
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
