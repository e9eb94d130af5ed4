import type { Dialect, LogEvent } from 'kysely'
import type { DatabaseWork, PoolMetrics } from '../metrics/database-metrics.ts'
import { timed } from '../metrics/timed.ts'
import { isSelect } from './dialects.ts'
import { DatabaseUnavailableError } from './errors.ts'

/** Kysely's drivers for PostgreSQL run them as statements. They are measured by the methods below. */
const TRANSACTION_STATEMENT = /^(?:begin|start transaction|commit|rollback)\b/

/**
 * Measures what a dialect's driver does, apart from statements (`measureStatement`).
 *
 * @param options.connects whether queries may have to wait for a connection
 */
export function measuredDialect(
  dialect: Dialect,
  metrics: PoolMetrics,
  { connects }: { connects: boolean },
): Dialect {
  const works = {
    ...(connects && { acquireConnection: 'connect' as const }),
    beginTransaction: 'begin',
    commitTransaction: 'commit',
    rollbackTransaction: 'rollback',
  } as const
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () =>
      timed(dialect.createDriver(), works, (work, seconds, error) =>
        report(metrics, work, seconds, error),
      ),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

/** Measures a statement that Kysely logs. */
export function measureStatement(event: LogEvent, metrics: PoolMetrics): void {
  if (TRANSACTION_STATEMENT.test(event.query.sql)) return
  const error = event.level === 'error' ? event.error : undefined
  const work = isSelect(event.query) ? 'read' : 'write'
  report(metrics, work, event.queryDurationMillis / 1_000, error)
}

/** Reports work that took a time, in seconds. @param error undefined if it succeeded */
export function report(
  metrics: PoolMetrics,
  work: DatabaseWork,
  seconds: number,
  error: unknown,
): void {
  metrics.worked(work, seconds)
  if (error instanceof DatabaseUnavailableError) metrics.unavailable()
}
