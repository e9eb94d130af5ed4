import { expect } from 'vitest'
import { validateKey, type KeyInput } from '../../../src/service/store/key-rules.ts'
import { addDomain } from '../../../src/service/store/domains.ts'
import { addOwner, type Owner } from '../../../src/service/store/owners.ts'
import { withService } from '../../support/fixtures.ts'

const { test, service } = withService()
let owner: Owner

test.beforeAll(
  async ({
    service: {
      database: { db },
    },
  }) => {
    owner = await addOwner(db, { kind: 'organization', name: 'Acme', now: 1 })
    const other = await addOwner(db, { kind: 'account', name: 'Ada', now: 1 })
    const record = { id: 'private', domain_name: 'private.example', created_at: 1 }
    await addDomain(db, { ...record, owner_id: other.id })
  },
)

async function validate(input: Partial<KeyInput>) {
  const defaults = { name: 'k', description: undefined, permissions: 'all' }
  const all = { ...defaults, scopes: [], domainIds: [], ...input }
  return validateKey(service.database.db, owner, all)
}

test('accepts a key with all permissions', async () => {
  expect(await validate({ description: 'For the shop' })).toEqual({
    key: {
      ownerId: owner.id,
      name: 'k',
      description: 'For the shop',
      permissions: 'all',
      scopes: [],
      domainIds: undefined,
    },
  })
})

test('accepts a restricted key with scopes and domain records', async () => {
  const restricted = { permissions: 'restricted', scopes: ['shortlinks:read'] }
  expect(await validate({ ...restricted, domainIds: ['default'] })).toMatchObject({
    key: { ...restricted, domainIds: ['default'] },
  })
})

test.each<[Partial<KeyInput>, Partial<Record<keyof KeyInput, RegExp>>]>([
  [{ name: '' }, { name: /Enter a name/ }],
  [
    { name: 'a\nb', description: 'x'.repeat(201) },
    { name: /one line/, description: /200/ },
  ],
  [{ permissions: 'constructor' }, { permissions: /all, read-only or restricted/ }],
  [{ permissions: 'restricted' }, { scopes: /at least one scope/ }],
  [{ permissions: 'restricted', scopes: ['links:delete'] }, { scopes: /“links:delete”/ }],
  [{ scopes: ['shortlinks:read'] }, { scopes: /Only restricted keys/ }],
  [
    { permissions: 'restricted', scopes: ['shortlinks:read'], domainIds: ['private'] },
    { domainIds: /Acme has no domain record “private”/ },
  ],
])('rejects %j', async (input, errors) => {
  const matching = Object.fromEntries(
    Object.entries(errors).map(([name, message]) => [
      name,
      expect.stringMatching(message) as string,
    ]),
  )
  expect(await validate(input)).toEqual({ errors: matching })
})
