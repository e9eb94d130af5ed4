import type { Logger } from 'pino'
import type { CreateRequest } from '../contract/create-request.ts'
import type { ListQuery } from '../contract/list-query.ts'
import type { Shortlink } from '../contract/shortlink.ts'
import type { ApiError } from '../client/errors/api-error.ts'
import type { LinkClient, LinkPage } from '../client/link-client.ts'
import type { Connection } from '../workspaces/connection.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { NotConnectedError } from './not-connected-error.ts'

/** The workspace's links, at the link service that it is connected to. */
export interface Links {
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

export function createLinks({
  findConnection,
  client,
  logger,
}: {
  findConnection: (workspace: Workspace) => Promise<Connection | undefined>
  /** A client of the link service with this key. */
  client: (apiKey: string) => LinkClient
  logger: Logger
}): Links {
  /** Whoever asked is told in words; whoever runs the app finds the rest in the log. */
  function log(error: unknown): never {
    const { name, message, status, code, requestId } = error as Partial<ApiError>
    const failure = { name, message, status, code, requestId }
    logger.warn(failure, 'the link service did not do what it was asked')
    throw error
  }

  async function connection(workspace: Workspace): Promise<Connection> {
    const found = await findConnection(workspace)
    if (!found) throw new NotConnectedError()
    return found
  }
  return {
    connection,
    async create(workspace, request, idempotencyKey) {
      const { apiKey } = await connection(workspace)
      return client(apiKey).create(request, { idempotencyKey }).catch(log)
    },
    async list(workspace, query, options) {
      const { apiKey } = await connection(workspace)
      return client(apiKey).list(query, options).catch(log)
    },
  }
}
