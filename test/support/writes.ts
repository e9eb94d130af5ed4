import { sql } from 'kysely'
import { defineWrite } from '../../src/database/write.ts'
import { ownerRow } from './rows.ts'

/* Writes of tests. They are in a file of their own, because the thread that writes imports it. */

/** Adds accounts whose names are their IDs, in the order given. @returns how many accounts there are then */
export const addAccounts = defineWrite(
  import.meta.url,
  'addAccounts',
  async (transaction, ...ids: string[]) => {
    for (const id of ids) await transaction.insertInto('owners').values(ownerRow(id)).execute()
    const rows = await transaction.selectFrom('owners').select('id').execute()
    return rows.length
  },
)

export const addAccountAndFail = defineWrite(
  import.meta.url,
  'addAccountAndFail',
  async (transaction, id: string) => {
    await addAccounts.runAll(transaction, [[id]])
    throw new Error(`${id} failed`)
  },
)

/** Fills the disk in the middle of a transaction, catches the error, and continues the transaction. */
export const addAccountsDespiteErrors = defineWrite(
  import.meta.url,
  'addAccountsDespiteErrors',
  async (transaction, large: string, ...ids: string[]) => {
    await addAccounts.runAll(transaction, [[large]]).catch(() => undefined)
    await addAccounts.runAll(transaction, [ids])
  },
)

/** Copies the names of workspaces that have an installation into a domain record, as a side effect that tests can see. */
export const noteInstallations = defineWrite(
  import.meta.url,
  'noteInstallations',
  async (transaction, id: string) => {
    const left = sql<string>`(select count(*) from installations where workspace_id = ${id})`
    await transaction
      .insertInto('public_hosts')
      .values({ host: sql`${id} || ': ' || ${left} || ' left'`, used_at: 0 })
      .execute()
  },
)
