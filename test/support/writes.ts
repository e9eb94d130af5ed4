import { defineWrite } from '../../src/database/write.ts'
import { reuseThreads } from './reused-threads.ts'
import { ownerRow } from './rows.ts'

/** Threads that run the writes below besides those of `src`. */
export const TEST_WRITER_THREADS = reuseThreads((script) =>
  script.href.endsWith('/writer-thread.ts')
    ? new URL('./writer-thread.ts', import.meta.url)
    : script,
)

/** Adds accounts whose names are their IDs, in the order given. @returns how many accounts there are then */
export const addAccounts = defineWrite(async function addAccounts(transaction, ...ids: string[]) {
  for (const id of ids) await transaction.insertInto('owners').values(ownerRow(id)).execute()
  const rows = await transaction.selectFrom('owners').select('id').execute()
  return rows.length
})

export const addAccountAndFail = defineWrite(async function addAccountAndFail(
  transaction,
  id: string,
) {
  await addAccounts.run(transaction, id)
  throw new Error(`${id} failed`)
})

/** Fills the disk in the middle of a transaction, catches the error, and continues the transaction. */
export const addAccountsDespiteErrors = defineWrite(async function addAccountsDespiteErrors(
  transaction,
  large: string,
  ...ids: string[]
) {
  await addAccounts.run(transaction, large).catch(() => undefined)
  await addAccounts.run(transaction, ...ids)
})
