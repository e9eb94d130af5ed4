import { beforeAll, expect, test } from 'vitest'
import { DOMAINS_PATH } from '../../../src/contract/endpoints.ts'
import { addDomain } from '../../../src/service/store/domains.ts'
import { addOwner } from '../../../src/service/store/owners.ts'
import { describeService } from '../../support/fixtures.ts'
import { errorsIn, keyWith, request, type Caller } from '../../support/service-calls.ts'

describeService((service) => {
  beforeAll(async () => {
    const { db } = service.database
    const other = await addOwner(db, { kind: 'organization', name: 'Other', created_at: 1 })
    for (const [id, owner_id, created_at] of [
      ['shared', null, 3e12],
      ['own', service.ownerId, 4e12],
      ['hidden', other.id, 5e12],
    ] as const) {
      await addDomain(db, { id, domain_name: `${id}.example.com`, owner_id, created_at })
    }
  })

  const list = (query = '', caller: Caller = service) =>
    request(caller, 'GET', DOMAINS_PATH + query)

  test('lists those that the key’s owner can use, the newest first', async () => {
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        status: 'success',
        message: '3 domain records in total.',
        domains: [
          { name: 'own', domain_name: 'own.example.com' },
          { name: 'shared', domain_name: 'shared.example.com' },
          { name: 'default', domain_name: new URL(service.baseUrl).host },
        ],
        pagination: { page: 1, per_page: 10, total_items: 3, total_pages: 1 },
      },
    })
  })

  test('lists a page in the other order, and only those that the key is limited to', async () => {
    expect((await list('?per_page=2&page=2&order=asc')).body).toMatchObject({
      data: {
        domains: [{ name: 'own' }],
        pagination: { page: 2, per_page: 2, total_items: 3, total_pages: 2 },
      },
    })
    const limited = { scopes: ['shortlinks:create'], domainIds: ['shared', 'hidden'] }
    expect((await list('', await keyWith(service, limited))).body).toMatchObject({
      data: { domains: [{ name: 'shared' }], pagination: { total_items: 1 } },
    })
  })

  test('rejects unknown parameters', async () => {
    expect(errorsIn(await list('?q=example&sort_by=clicks'))).toEqual({
      q: ['This parameter does not exist.'],
      sort_by: ['Use most_recent, created_at or updated_at.'],
    })
  })
})
