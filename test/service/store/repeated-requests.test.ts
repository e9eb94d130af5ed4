import { expect, test } from 'vitest'
import { addApiKey } from '../../../src/service/store/api-keys.ts'
import { deleteExpiredKeys, rememberRequest } from '../../../src/service/store/repeated-requests.ts'
import { openDatabase } from '../../support/open-database.ts'
import { createPostgresDatabase, MIGRATED, postgresSkipped } from '../../support/postgres.ts'
import { addOwners } from '../../support/rows.ts'

const NOW = Date.parse('2027-03-01T02:30:00Z')

test.skipIf(postgresSkipped)('an expired key that is used again is not deleted', async () => {
  await using database = await openDatabase(await createPostgresDatabase(MIGRATED))
  const { db } = database
  await addOwners(database, 'acme')
  const key = await addApiKey(db, { ownerId: 'acme', name: '', permissions: 'all' }, 0)
  const request = { api_key_id: key.id, idempotency_key: 'again', request_hash: '', answer: '{}' }
  await rememberRequest(db, { ...request, created_at: 0 })
  await db.transaction().execute(async (transaction) => {
    await rememberRequest(transaction, { ...request, created_at: NOW })
    expect(await deleteExpiredKeys(db, 10, NOW)).toBe(0n)
  })
  expect(await deleteExpiredKeys(db, 10, NOW)).toBe(0n)
})
