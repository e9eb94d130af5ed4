import type { Logger } from 'pino'
import type { DashboardRole } from '../../contract/extension-calls.ts'
import type { Capabilities } from '../../port/capabilities.ts'
import { failureOf, type LinkServiceError } from '../../port/failures.ts'
import type { LinkService } from '../../port/link-service.ts'
import { personId, type Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'

interface Sessions {
  userId?: string | undefined
  role?: DashboardRole | undefined
}

/**
 * Returns a function that ends sessions of the link service's dashboard: those of one user or role, or all. It uses the
 * workspace's present key, so it works even if that key is replaced or deleted before the call.
 */
export type PrepareSignOut = (
  workspace: Workspace,
  sessions?: Sessions,
) => Promise<() => Promise<void>>

interface SignOutOptions {
  workspaces: Pick<Workspaces, 'connection'>
  linkClient: (apiKey: string) => LinkService
  readCapabilities: (apiKey: string) => Promise<Capabilities | undefined>
  logger: Logger
}

export function createPrepareSignOut(options: SignOutOptions): PrepareSignOut {
  const { workspaces, linkClient, readCapabilities, logger } = options

  return async (workspace, { userId, role } = {}) => {
    try {
      const connection = await workspaces.connection(workspace, { mayProvision: false })
      const capabilities = connection && (await readCapabilities(connection.apiKey))
      if (!connection || capabilities?.signIn === false) return async () => undefined
      const person_id = userId === undefined ? undefined : personId(workspace.id, userId)
      const endSessions = offered(linkClient(connection.apiKey).endSessions)
      return () =>
        endSessions({ person_id, role }).catch((error: unknown) => {
          // If the key isn't permitted to sign people in, there are no sessions to end.
          if (!failureOf(error, 'not_permitted')) logAndRethrow(logger, error)
        })
    } catch (error) {
      return async () => logAndRethrow(logger, error) // The caller's work goes on, and only the sign-out fails.
    }
  }
}

export function logAndRethrow(logger: Logger, error: unknown): never {
  const { name, message, status, code, requestId } = error as Partial<LinkServiceError>
  // Our own service answers with our request ID. Another service might answer with its own.
  const details = { name, message, status, code, serviceRequestId: requestId }
  logger.warn(details, 'a call to the link service failed')
  throw error
}

export function offered<Call>(call: Call | undefined): Call {
  if (call === undefined) throw new Error('the driver lacks a call that it declares')
  return call
}
