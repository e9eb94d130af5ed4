import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { isObject } from '../values/unknown-values.ts'
import { isPostgres } from './dialects.ts'
import type { Schema } from './schema.ts'

// Stands for a value while a query is compiled. `read` finds the value in the arguments of a call.
class Placeholder {
  readonly read: (args: readonly unknown[]) => unknown

  constructor(read: Placeholder['read']) {
    this.read = read
  }
}

/**
 * Returns a function that runs a query, and compiles it only in its first call. Compiling a query with Kysely takes
 * longer than SQLite needs to run it, so this is for the queries of nearly every request.
 * @param build gets placeholders instead of values, also within objects, so it can't branch on a value. The objects of
 *   all calls must have the same members
 */
export function prepared<Args extends unknown[], Row>(
  build: (db: Kysely<Schema>, ...args: Args) => Compilable<Row>,
): (db: Kysely<Schema>, ...args: Args) => Promise<Row[]> {
  const compiled: { sqlite?: CompiledQuery<Row>; postgres?: CompiledQuery<Row> } = {}

  return async (db, ...args) => {
    const kind = isPostgres(db) ? 'postgres' : 'sqlite'
    const query = (compiled[kind] ??= build(db, ...(args.map(toPlaceholder) as Args)).compile())
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? parameter.read(args) : parameter,
    )
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}

function toPlaceholder(value: unknown, index: number): unknown {
  if (!isObject(value)) return new Placeholder((args) => args[index])
  const members = Object.keys(value).map((name) => [
    name,
    new Placeholder((args) => (args[index] as typeof value)[name]),
  ])
  return Object.fromEntries(members)
}

export function preparedRow<Args extends unknown[], Row>(
  build: (db: Kysely<Schema>, ...args: Args) => Compilable<Row>,
): (db: Kysely<Schema>, ...args: Args) => Promise<Row | undefined> {
  const read = prepared(build)
  return async (db, ...args) => (await read(db, ...args))[0]
}
