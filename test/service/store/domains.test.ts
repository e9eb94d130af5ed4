import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { removeDomain } from '../../../src/service/store/domains.ts'
import { openDatabase } from '../../support/open-database.ts'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from '../../support/postgres.ts'
import { addDomainRecord, addLinks, addOwners, linkRow } from '../../support/rows.ts'

test.skipIf(postgresSkipped)(
  'keeps a record on which another process is creating a link',
  async () => {
    const url = await createPostgresDatabase(MIGRATED)
    const [database, elsewhere] = [await openDatabase(url), await openDatabase(url)]
    await addOwners(database, 'acme')
    await addDomainRecord(database, 'go')
    const { removing } = await database.db.transaction().execute(async (transaction) => {
      const link = linkRow('new', { domain_id: 'go', hostname: 'go.example' })
      await addLinks({ db: transaction }, link)
      const removal = removeDomain(elsewhere.db, 'go').catch((error: unknown) => error)
      const waiting = async () => {
        const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db)
        return rows.length
      }
      await expect.poll(waiting).toBe(1)
      return { removing: removal }
    })
    expect(await removing).toContain('“go” has links')
    await elsewhere.close()
    await database.close()
  },
)
