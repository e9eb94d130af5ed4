import { expect, onTestFinished } from 'vitest'
import { addApiKey } from '../../../src/service/store/api-keys.ts'
import { findExternalOwner } from '../../../src/service/store/owners.ts'
import { withService } from '../../support/fixtures.ts'
import { create, errorIn, getList, listed, newLink } from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'

let now = Date.parse('2027-03-01T12:00:00Z')

const { test, service } = withService({ now: () => now, publicUrl: 'http://localhost:3001' })

const as = (apiKey: string) => ({ baseUrl: service.baseUrl, apiKey })

const provision = () => service.service.provision({ id: 'T1', name: 'Acme' })

test('gives a workspace its own key and the built-in domain record, and another key if it asks again', async () => {
  const first = await provision()
  expect(first.domains).toEqual([{ name: 'default', domain_name: 'localhost:3001' }])
  await newLink(as(first.apiKey))
  now += 60_001
  const second = await provision()
  expect((await getList(as(first.apiKey))).status).toBe(401)
  expect((await listed(as(second.apiKey))).pagination.total_items).toBe(1)
})

test('keeps a key that an admin created for the workspace', async () => {
  await provision()
  const { db } = service.database
  const owner = await findExternalOwner(db, 'T1')
  const newKey = { ownerId: owner?.id ?? '', name: 'website', permissions: 'all' } as const
  const { key } = await addApiKey(db, newKey, now)
  now += 60_001
  await provision()
  expect((await getList(as(key))).status).toBe(200)
})

test('gives working keys to two processes that ask at the same time', async () => {
  const both = await Promise.all([provision(), provision()])
  const responses = await Promise.all(both.map(({ apiKey }) => getList(as(apiKey))))
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  const owners = service.database.db.selectFrom('owners').select('name')
  expect(await owners.where('external_id', '=', 'T1').execute()).toEqual([{ name: 'Acme' }])
})

test('gives new workspaces the quota of WORKSPACE_LINK_QUOTA, and keeps that of earlier ones', async () => {
  const limited = await startService({ databaseUrl: service.databaseUrl, linkQuota: 1 })
  onTestFinished(() => limited.close())
  const { apiKey } = await limited.service.provision({ id: 'T2', name: 'Limited' })
  const caller = { ...limited, apiKey }
  expect((await create(caller)).status).toBe(200)
  expect(errorIn(await create(caller))).toEqual([403, 'FEATURE_LIMIT_EXCEEDED', { max_links: 1 }])
  const earlier = await limited.service.provision({ id: 'T1', name: 'Acme' })
  for (let link = 0; link < 2; link++) await newLink({ ...limited, ...earlier })
})
