import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { addDomain, removeDomain } from '../../../src/service/store/domains.ts'
import { postgresSkipped, startPostgres } from '../../support/postgres.ts'
import { postForm } from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'

test.skipIf(postgresSkipped)('a record stays that another process makes a link on', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const { url: databaseUrl } = await postgres.createDatabase()
  const service = await startService({ databaseUrl })
  const elsewhere = await openDatabase(databaseUrl)
  const { db } = service.database
  await postForm(service, { destination_url: 'https://example.com/', domain: 'default' })
  const hostname = 'go.example.com'
  await addDomain(db, { id: 'go', domain_name: hostname, owner_id: null, created_at: 0 })
  const [link] = await db.selectFrom('links').selectAll().execute()
  if (!link) throw new Error('no link was made')

  const { removing } = await db.transaction().execute(async (transaction) => {
    const there = { ...link, id: link.id.replace(/.$/, 'x'), domain_id: 'go', hostname }
    await transaction.insertInto('links').values(there).execute()
    const removal = removeDomain(elsewhere.db, 'go').catch((error: unknown) => error)
    await vi.waitUntil(async () => {
      const { rows } = await sql`select 1 from pg_locks where not granted`.execute(db)
      return rows.length > 0
    })
    return { removing: removal }
  })
  expect(await removing).toBe(false)
  await elsewhere.close()
  await service.close()
})
