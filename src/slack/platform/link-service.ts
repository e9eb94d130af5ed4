import type { Logger } from 'pino'
import type { CreateRequest } from '../../contract/create-request.ts'
import type { ListQuery } from '../../contract/list-query.ts'
import type { Shortlink } from '../../contract/shortlink.ts'
import type { ApiError } from '../../client/errors.ts'
import type { LinkClient, LinkPage } from '../../client/link-client.ts'
import type { Connection } from '../../workspaces/connection.ts'
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
  /** @throws LinkServiceError, NotConnectedError */
  create(workspace: Workspace, request: CreateRequest, idempotencyKey: string): Promise<Shortlink>
  /** @throws LinkServiceError, NotConnectedError */
  list(
    workspace: Workspace,
    query: Partial<ListQuery>,
    options?: { signal?: AbortSignal },
  ): Promise<LinkPage>
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
    async create(workspace, request, idempotencyKey) {
      const { apiKey } = await connection(workspace)
      return linkClient(apiKey).create(request, { idempotencyKey }).catch(logAndRethrow)
    },
    async list(workspace, query, options) {
      const { apiKey } = await connection(workspace)
      return linkClient(apiKey).list(query, options).catch(logAndRethrow)
    },
  }
}
