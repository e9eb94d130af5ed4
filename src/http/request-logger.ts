import type { FastifyBaseLogger, FastifyHttpOptions, RawServerDefault } from 'fastify'

type ChildLoggerFactory = NonNullable<FastifyHttpOptions<RawServerDefault>['childLoggerFactory']>
type Child = ReturnType<FastifyBaseLogger['child']>
type Line = Parameters<FastifyBaseLogger['info']>

/**
 * Gives each request its logger. Its lines carry the request's ID. A child of a pino logger costs more than a
 * redirect, and most requests log nothing, so the child is made with the first line.
 */
export const createRequestLogger: ChildLoggerFactory = (logger, bindings, options) =>
  new RequestLogger(() => logger.child(bindings, options))

class RequestLogger {
  readonly #createChild: () => Child
  #child: Child | undefined

  constructor(createChild: () => Child) {
    this.#createChild = createChild
  }

  get #logger(): Child {
    return (this.#child ??= this.#createChild())
  }

  get level(): string {
    return this.#logger.level
  }

  fatal(...line: Line): void {
    this.#logger.fatal(...line)
  }

  error(...line: Line): void {
    this.#logger.error(...line)
  }

  warn(...line: Line): void {
    this.#logger.warn(...line)
  }

  info(...line: Line): void {
    this.#logger.info(...line)
  }

  debug(...line: Line): void {
    this.#logger.debug(...line)
  }

  trace(...line: Line): void {
    this.#logger.trace(...line)
  }

  silent(...line: Line): void {
    this.#logger.silent(...line)
  }

  child(...options: Parameters<Child['child']>): Child {
    return this.#logger.child(...options)
  }
}
