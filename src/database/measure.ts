import type { CompiledQuery, LogEvent } from 'kysely'
import type { DatabaseWork, PoolMetrics } from '../metrics/database-metrics.ts'
import { isSelect } from './dialects.ts'
import { DatabaseUnavailableError } from './errors.ts'

export function measureStatement({ query, ...event }: LogEvent, metrics: PoolMetrics): void {
  const error = event.level === 'error' ? event.error : undefined
  report(metrics, toWork(query), event.queryDurationMillis / 1_000, error)
}

function toWork(query: CompiledQuery): DatabaseWork {
  if (/^(?:begin|start transaction)\b/.test(query.sql)) return 'begin'
  if (query.sql === 'commit' || query.sql === 'rollback') return query.sql
  return isSelect(query) ? 'read' : 'write'
}

export function measure<T>(
  metrics: PoolMetrics | undefined,
  work: DatabaseWork,
  result: Promise<T>,
): Promise<T> {
  const start = performance.now()
  const reportEnd = (error?: unknown): void => {
    if (metrics) report(metrics, work, (performance.now() - start) / 1_000, error)
  }
  result.then(() => reportEnd(), reportEnd)
  return result
}

function report(metrics: PoolMetrics, work: DatabaseWork, seconds: number, error: unknown): void {
  metrics.observeDuration(work, seconds)
  if (error instanceof DatabaseUnavailableError) metrics.countUnavailable()
}
