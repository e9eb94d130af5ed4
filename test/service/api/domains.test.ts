import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DOMAINS_PATH } from '../../../src/contract/endpoints.ts'
import { addApiKey } from '../../../src/service/store/api-keys.ts'
import { addDomain } from '../../../src/service/store/domains.ts'
import { addOwner } from '../../../src/service/store/owners.ts'
import { createPostgresDatabase, postgresSkipped } from '../../support/postgres.ts'
import { call } from '../../support/service-calls.ts'
import { startService, type RunningService } from '../../support/service.ts'

let service: RunningService

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  describe.skipIf(kind === 'postgres' && postgresSkipped)('lists domain records', () => {
    beforeAll(async () => {
      service = await startService(
        kind === 'postgres' ? { databaseUrl: await createPostgresDatabase() } : {},
      )
      const { db } = service.database
      const other = await addOwner(db, { kind: 'organization', name: 'Other', now: 1 })
      const { owner_id: own } = await db
        .selectFrom('api_keys')
        .select('owner_id')
        .executeTakeFirstOrThrow()
      for (const [id, owner, at] of [
        ['shared', null, 3e12],
        ['own', own, 4e12],
        ['hidden', other.id, 5e12],
      ] as const) {
        await addDomain(db, {
          id,
          domain_name: `${id}.example.com`,
          owner_id: owner,
          created_at: at,
        })
      }
    })
    afterAll(() => service.close())

    const list = (query = '', apiKey = service.apiKey) =>
      call(`${service.baseUrl}${DOMAINS_PATH}${query}`, { headers: { 'x-api-key': apiKey } })

    const host = (): string => new URL(service.baseUrl).host

    test('those that the key’s owner may use, the newest first', async () => {
      const { status, body } = await list()
      expect(status).toBe(200)
      expect(body).toEqual({
        data: {
          status: 'success',
          message: '3 domain records in total.',
          domains: [
            { name: 'own', domain_name: 'own.example.com' },
            { name: 'shared', domain_name: 'shared.example.com' },
            { name: 'default', domain_name: host() },
          ],
          pagination: { page: 1, per_page: 10, total_items: 3, total_pages: 1 },
        },
      })
    })

    test('by page, and in the other order', async () => {
      expect((await list('?per_page=2&page=2&order=asc')).body).toMatchObject({
        data: {
          domains: [{ name: 'own' }],
          pagination: { page: 2, per_page: 2, total_items: 3, total_pages: 2 },
        },
      })
    })

    test('only those that the key is limited to', async () => {
      const { db } = service.database
      const { owner_id: ownerId } = await db
        .selectFrom('api_keys')
        .select('owner_id')
        .executeTakeFirstOrThrow()
      const limited = { permissions: 'restricted', scopes: ['shortlinks:create'] } as const
      const { key } = await addApiKey(
        db,
        { ownerId, name: 'Limited', ...limited, domainIds: ['shared', 'hidden'] },
        1,
      )
      expect((await list('', key)).body).toMatchObject({
        data: { domains: [{ name: 'shared' }], pagination: { total_items: 1 } },
      })
    })

    test('rejects unknown parameters, and requests without a key', async () => {
      expect((await list('?q=example')).body).toMatchObject({
        error: { status_code: 422, details: { fields: { q: ['This parameter does not exist.'] } } },
      })
      expect((await list('', 'wrong')).status).toBe(401)
    })
  })
})
