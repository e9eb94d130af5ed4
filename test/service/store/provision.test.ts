import { expect, onTestFinished } from 'vitest'
import { addApiKey } from '../../../src/service/store/api-keys.ts'
import { withService } from '../../support/fixtures.ts'
import { getList, postForm } from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'

let now = Date.parse('2027-03-01T12:00:00Z')

const { test, service } = withService({ now: () => now, publicUrl: 'http://localhost:3001' })

const provision = () => service.service.provision({ id: 'T1', name: 'Acme' })

test('gives a workspace its own key and the built-in domain record', async () => {
  const { apiKey, domains } = await provision()
  expect(domains).toEqual([{ name: 'default', domain_name: 'localhost:3001' }])
  const caller = { baseUrl: service.baseUrl, apiKey }
  const fields = { destination_url: 'https://example.com/', domain: 'default' }
  expect((await postForm(caller, fields)).status).toBe(200)
})

test('replaces the key if the workspace asks again, and keeps its links', async () => {
  const first = await provision()
  now += 60_001
  const second = await provision()
  expect(second.apiKey).not.toBe(first.apiKey)
  const list = (apiKey: string) => getList({ baseUrl: service.baseUrl, apiKey })
  expect((await list(first.apiKey)).status).toBe(401)
  expect((await list(second.apiKey)).body).toMatchObject({
    data: { pagination: { total_items: 1 } },
  })
})

test('keeps a key that an admin created for the workspace', async () => {
  await provision()
  const { db } = service.database
  const owner = await db
    .selectFrom('owners')
    .select('id')
    .where('external_id', '=', 'T1')
    .executeTakeFirstOrThrow()
  const newKey = { ownerId: owner.id, name: 'website', permissions: 'all' } as const
  const { key } = await addApiKey(db, newKey, now)
  now += 60_001
  await provision()
  expect((await getList({ baseUrl: service.baseUrl, apiKey: key })).status).toBe(200)
})

test('gives working keys to two processes that ask at the same time', async () => {
  const both = await Promise.all([provision(), provision()])
  const responses = await Promise.all(
    both.map(({ apiKey }) => getList({ baseUrl: service.baseUrl, apiKey })),
  )
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  const organizations = await service.database.db
    .selectFrom('owners')
    .select('name')
    .where('external_id', '=', 'T1')
    .execute()
  expect(organizations).toEqual([{ name: 'Acme' }])
})

test('gives new workspaces the quota of WORKSPACE_LINK_QUOTA, and keeps that of earlier ones', async () => {
  const limited = await startService({ databaseUrl: service.databaseUrl, linkQuota: 1 })
  onTestFinished(() => limited.close())
  const create = (apiKey: string, name: string) =>
    postForm(
      { baseUrl: limited.baseUrl, apiKey },
      { destination_url: `https://example.com/quota/${name}`, domain: 'default' },
    )
  const { apiKey } = await limited.service.provision({ id: 'T2', name: 'Limited' })
  expect((await create(apiKey, 'a')).status).toBe(200)
  expect((await create(apiKey, 'b')).body).toMatchObject({
    error: { code: 'FEATURE_LIMIT_EXCEEDED', details: { max_links: 1 } },
  })
  const earlier = await limited.service.provision({ id: 'T1', name: 'Acme' })
  expect((await create(earlier.apiKey, 'a')).status).toBe(200)
  expect((await create(earlier.apiKey, 'b')).status).toBe(200)
})
