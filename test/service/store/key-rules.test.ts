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

const RESTRICTED = { permissions: 'restricted' }
const READER = { ...RESTRICTED, scopes: ['shortlinks:read'] }

test.each<[Partial<KeyInput>, keyof KeyInput, string]>([
  [{ name: '' }, 'name', 'Enter a name'],
  [{ name: 'a\nb' }, 'name', 'one line'],
  [{ description: 'x'.repeat(201) }, 'description', '200'],
  [{ permissions: 'constructor' }, 'permissions', 'all, read-only or restricted'],
  [RESTRICTED, 'scopes', 'at least one scope'],
  [{ ...RESTRICTED, scopes: ['links:delete'] }, 'scopes', '“links:delete”'],
  [{ scopes: ['shortlinks:read'] }, 'scopes', 'Only restricted keys'],
  [{ permissions: 'read_only', scopes: ['people:erase'] }, 'scopes', 'keys with all permissions'],
  [{ ...READER, domainIds: ['private'] }, 'domainIds', 'Acme has no domain record “private”'],
])('rejects %j', async (input, field, error) => {
  const errors = { [field]: expect.stringContaining(error) as string }
  expect(await validate(input)).toEqual({ errors })
})
