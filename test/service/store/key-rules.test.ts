import { expect } from 'vitest'
import { validateKey, type KeyInput } from '../../../src/service/store/key-rules.ts'
import { addOwner, type Owner } from '../../../src/service/store/owners.ts'
import { withService } from '../../support/fixtures.ts'
import { addDomainRecord, addOwners } from '../../support/rows.ts'

const { test, service } = withService()
let owner: Owner

test.beforeAll(async ({ service: { database } }) => {
  owner = await addOwner(database.db, { kind: 'organization', name: 'Acme', created_at: 1 })
  await addOwners(database, 'ada')
  await addDomainRecord(database, 'private', 'ada')
})

async function validate(input: Partial<KeyInput>) {
  const defaults = { name: 'k', description: undefined, permissions: 'all' }
  const all = { ...defaults, scopes: [], domainIds: [], ...input }
  return validateKey(service.database.db, owner, all)
}

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
    { permissions: 'read_only', scopes: ['people:erase'] },
    { scopes: /Only keys with all permissions/ },
  ],
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
