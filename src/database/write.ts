import type { DbTransaction } from './schema.ts'

/*
 * A write is a function that runs in a transaction (docs/architecture.md, “How a write reaches the database”):
 *
 *   export const renameOwner = defineWrite(async function renameOwner(transaction, id: string, name: string) {…})
 *   await database.write(renameOwner('o1', 'New name'))
 *
 * `renameOwner('o1', …)` only returns the function and its arguments, which can be sent to a thread. A single statement
 * needs no definition: `db.updateTable(…).execute()` is sent to the writer thread, too.
 */

type Run<Args extends unknown[], Result> = (
  transaction: DbTransaction,
  ...args: Args
) => Promise<Result>

export interface Write<Result> {
  readonly run: Run<never, Result>
  readonly args: readonly unknown[]
}

export type RunWrite = <T>(write: Write<T>, ownerId?: string) => Promise<T>

export type WriteTable = Readonly<Record<string, { run: Run<never, unknown> }>>

/**
 * @param run waits for nothing but the database, because other writes wait for it. It has no effects outside of the
 *   transaction, because it runs again if the transaction is rolled back. Its name is its export in src/writes.ts
 */
export function defineWrite<Args extends unknown[], Result>(run: Run<Args, Result>) {
  return Object.assign((...args: Args): Write<Result> => ({ run, args }), { run })
}

export async function runWrite<Result>(
  transaction: DbTransaction,
  { run, args }: Write<Result>,
): Promise<Result> {
  return run(transaction, ...(args as never))
}
