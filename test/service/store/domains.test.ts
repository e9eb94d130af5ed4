import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { addDomain, removeDomain } from '../../../src/service/store/domains.ts'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from '../../support/postgres.ts'
import { postForm } from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'

test.skipIf(postgresSkipped)(
  'keeps a record on which another process is creating a link',
  async () => {
    const databaseUrl = await createPostgresDatabase(MIGRATED)
    const service = await startService({ databaseUrl })
    const elsewhere = await openDatabase(databaseUrl)
    const { db } = service.database
    await postForm(service, { destination_url: 'https://example.com/', domain: 'default' })
    const hostname = 'go.example.com'
    await addDomain(db, { id: 'go', domain_name: hostname, owner_id: null, created_at: 0 })
    const [link] = await db.selectFrom('links').selectAll().execute()
    if (!link) throw new Error('no link was made')

    const { removing } = await db.transaction().execute(async (transaction) => {
      const added = { ...link, id: link.id.replace(/.$/, 'x'), domain_id: 'go', hostname }
      await transaction.insertInto('links').values(added).execute()
      const removal = removeDomain(elsewhere.db, 'go').catch((error: unknown) => error)
      const waiting = async () => {
        const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        return rows.length
      }
      await expect.poll(waiting).toBe(1)
      return { removing: removal }
    })
    expect(await removing).toContain('“go” has links')
    await elsewhere.close()
    await service.close()
  },
)
