import type { Logger } from 'pino'
import type { Workspaces } from '../../workspaces/workspaces.ts'

/**
 * Deletes everything about a workspace that uninstalls the app, unless it has installed the app again since. Several events
 * report one uninstall, in any order: the first deletes, and the others find nothing.
 *
 * @param at the time of the uninstall in seconds since 1970, as in events
 */
export type Removal = (workspaceId: string, at: number) => Promise<void>

export function createRemoval({
  workspaces,
  isByOAuth,
  logger,
}: {
  workspaces: Pick<Workspaces, 'forget'>
  /** Whether workspaces install the app by OAuth; if not, one bot token is configured. */
  isByOAuth: boolean
  logger: Logger
}): Removal {
  return async (workspaceId, at) => {
    const deleted = await workspaces.forget(workspaceId, isByOAuth ? at * 1_000 : undefined)
    logger.info(
      { workspaceId },
      deleted
        ? 'a workspace uninstalled the app: its data is deleted'
        : 'a workspace uninstalled the app and installed it again: its data is kept',
    )
  }
}
