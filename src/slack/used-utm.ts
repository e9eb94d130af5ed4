import type { Logger } from 'pino'
import type { RecentUtm } from '../workspaces/recent-utm.ts'
import type { Caller } from './caller.ts'
import type { UtmValues } from './input/naming-rules.ts'
import type { Work } from './work.ts'

/** Keeps the UTM values that somebody used last, to be offered again. */
export interface UsedUtm {
  /**
   * Begins to keep them, where there are any. Nobody waits for it, and nobody loses an answer by
   * it: a failure is in the log. A stop of the program waits for it.
   */
  keep(caller: Caller, values: UtmValues): void
}

export function createUsedUtm({
  recentUtm,
  work,
  logger,
}: {
  recentUtm: RecentUtm
  work: Work
  logger: Logger
}): UsedUtm {
  return {
    keep({ workspace, userId }, values) {
      if (userId === undefined || Object.keys(values).length === 0) return
      void work.track(() =>
        recentUtm
          .save(workspace.id, userId, values)
          .catch((err: unknown) => logger.error({ err }, 'UTM values could not be kept')),
      )
    },
  }
}
