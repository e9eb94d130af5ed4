import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely'
import type { DatabaseWork, PoolMetrics } from '../metrics/metrics.ts'
import { DatabaseUnavailableError } from './errors.ts'
import { isSelect } from './sqlite.ts'

/**
 * Measures everything that a dialect's driver does.
 *
 * @param options.connects whether queries may have to wait for a connection
 */
export function measuredDialect(
  dialect: Dialect,
  metrics: PoolMetrics,
  { connects }: { connects: boolean },
): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () =>
      new MeasuredDriver(dialect.createDriver(), createStopwatch(metrics), connects),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

type Stopwatch = <T>(work: DatabaseWork, task: () => Promise<T>) => Promise<T>

function createStopwatch(metrics: PoolMetrics): Stopwatch {
  return async (work, task) => {
    const start = performance.now()
    try {
      return await task()
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) metrics.unavailable()
      throw error
    } finally {
      metrics.worked(work, (performance.now() - start) / 1_000)
    }
  }
}

class MeasuredDriver implements Driver {
  readonly #driver: Driver
  readonly #measure: Stopwatch
  readonly #connects: boolean

  constructor(driver: Driver, measure: Stopwatch, connects: boolean) {
    this.#driver = driver
    this.#measure = measure
    this.#connects = connects
  }

  init(): Promise<void> {
    return this.#driver.init()
  }

  async acquireConnection(): Promise<MeasuredConnection> {
    const acquire = () => this.#driver.acquireConnection()
    const inner = await (this.#connects ? this.#measure('connect', acquire) : acquire())
    return new MeasuredConnection(inner, this.#measure)
  }

  beginTransaction({ inner }: MeasuredConnection, settings: TransactionSettings): Promise<void> {
    return this.#measure('begin', () => this.#driver.beginTransaction(inner, settings))
  }

  commitTransaction({ inner }: MeasuredConnection): Promise<void> {
    return this.#measure('commit', () => this.#driver.commitTransaction(inner))
  }

  rollbackTransaction({ inner }: MeasuredConnection): Promise<void> {
    return this.#measure('rollback', () => this.#driver.rollbackTransaction(inner))
  }

  releaseConnection({ inner }: MeasuredConnection): Promise<void> {
    return this.#driver.releaseConnection(inner)
  }

  destroy(): Promise<void> {
    return this.#driver.destroy()
  }
}

class MeasuredConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  readonly #measure: Stopwatch

  constructor(inner: DatabaseConnection, measure: Stopwatch) {
    this.inner = inner
    this.#measure = measure
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#measure(isSelect(query) ? 'read' : 'write', () =>
      this.inner.executeQuery<R>(query),
    )
  }

  streamQuery(): never {
    throw new Error('queries can’t be streamed')
  }
}
