import type { Transaction } from 'kysely'
import type { Schema } from './schema.ts'

/*
 * A write is a function that runs in a transaction, exported by the file that defines it
 * (docs/architecture.md, “How a write reaches the database”):
 *
 *     export const renameOwner = defineWrite(
 *       import.meta.url,
 *       'renameOwner',
 *       async (transaction, id: string, name: string) => …,
 *     )
 *     await database.write(renameOwner('o1', 'New name'))
 *
 * A statement outside of a transaction needs no definition: on SQLite, `db.updateTable(…).execute()` is sent to the
 * thread as a write, too.
 */

export interface Write<Result> {
  /** The URL of the module, and the name of the exported write as the fragment. */
  readonly definition: string
  readonly args: readonly unknown[]
  /** Never set. The compiler keeps the type of the result here. */
  readonly result?: Result
}

export type RunWrite = <T>(write: Write<T>, ownerId?: string) => Promise<T>

type RunAll<Args, Result> = (
  transaction: Transaction<Schema>,
  calls: readonly Args[],
) => Promise<readonly Result[]>

interface DefinedWrite<Args extends unknown[], Result> {
  (...args: Args): Write<Result>
  runAll: RunAll<Args, Result>
}

/**
 * Defines a write. It can run again if its transaction was rolled back, so it waits for nothing but the database.
 *
 * @param module `import.meta.url`
 * @param name the name by which the module exports the result
 */
export function defineWrite<Args extends unknown[], Result>(
  module: string,
  name: string,
  run: (transaction: Transaction<Schema>, ...args: Args) => Promise<Result>,
): DefinedWrite<Args, Result> {
  return defineBulkWrite(module, name, async (transaction, calls) => {
    const results: Result[] = []
    for (const args of calls) results.push(await run(transaction, ...args))
    return results
  })
}

/** Defines a write that needs fewer statements if several calls run together. */
export function defineBulkWrite<Args extends unknown[], Result>(
  module: string,
  name: string,
  runAll: RunAll<Args, Result>,
): DefinedWrite<Args, Result> {
  const definition = `${module}#${name}`
  return Object.assign((...args: Args): Write<Result> => ({ definition, args }), { runAll })
}

export async function runWrite<Result>(
  transaction: Transaction<Schema>,
  write: Write<Result>,
): Promise<Result> {
  const [result] = await runWrites(transaction, [write])
  return result as Result
}

export async function runWrites(
  transaction: Transaction<Schema>,
  writes: readonly Write<unknown>[],
): Promise<unknown[]> {
  const results = new Map<Write<unknown>, unknown>()
  for (const [definition, calls] of Map.groupBy(writes, (write) => write.definition)) {
    const runAll = found.get(definition) ?? (await find(definition))
    const returned = await runAll(
      transaction,
      calls.map(({ args }) => [...args]),
    )
    calls.forEach((call, index) => results.set(call, returned[index]))
  }
  return writes.map((write) => results.get(write))
}

/** Importing a module again takes longer than finding a write here. */
const found = new Map<string, RunAll<unknown[], unknown>>()

async function find(definition: string): Promise<RunAll<unknown[], unknown>> {
  const [module = '', name = ''] = definition.split('#')
  const exported = (await import(module)) as Record<string, DefinedWrite<unknown[], unknown>>
  const runAll = exported[name]?.runAll
  if (!runAll) throw new Error(`${module} doesn’t export the write “${name}”`)
  found.set(definition, runAll)
  return runAll
}
