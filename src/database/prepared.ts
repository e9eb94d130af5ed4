import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { isPostgres } from './dialects.ts'
import type { Schema } from './schema.ts'

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * Compiles a query once, by its first call. Compiling takes longer than SQLite needs to run it, so this is for the
 * queries of nearly every request.
 *
 * @param build must not depend on the values: it gets placeholders. All calls have the same names of values
 */
export function prepared<Values extends object, Row>(
  build: (db: Kysely<Schema>, values: Values) => Compilable<Row>,
): (db: Kysely<Schema>, values: Values) => Promise<Row[]> {
  const compiled: { sqlite?: CompiledQuery<Row>; postgres?: CompiledQuery<Row> } = {}

  function compile(db: Kysely<Schema>, values: Values): CompiledQuery<Row> {
    const names = Object.keys(values)
    const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]))
    return build(db, placeholders as Values).compile()
  }

  return async (db, values) => {
    const kind = isPostgres(db) ? 'postgres' : 'sqlite'
    const query = (compiled[kind] ??= compile(db, values))
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}

export function preparedRow<Values extends object, Row>(
  build: (db: Kysely<Schema>, values: Values) => Compilable<Row>,
): (db: Kysely<Schema>, values: Values) => Promise<Row | undefined> {
  const read = prepared(build)
  return async (db, values) => (await read(db, values))[0]
}
