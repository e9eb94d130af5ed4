import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { checkEncrypted } from '../../src/workspaces/encrypted-data.ts'
import { createKeyring, keyFilePath } from '../../src/workspaces/keyring.ts'
import { createWorkspaces } from '../../src/workspaces/workspaces.ts'
import { openTempDatabase } from '../support/databases.ts'
import { withDirectory } from '../support/fixtures.ts'

const [KEY, OTHER] = [randomBytes(32), randomBytes(32)]

const NEEDS_KEYS = 'PostgreSQL needs ENCRYPTION_KEYS'

let database: Database
const { test, at } = withDirectory()
test.beforeAll(async () => {
  database = await openTempDatabase()
  const workspaces = createWorkspaces({ database, keyring: createKeyring([KEY]) })
  const domains = [{ name: 'd', domain_name: 'go.example.com' }]
  for (const id of ['T1', 'T2']) await workspaces.connect(id, { apiKey: 'k', domains }, 'U1')
})
test.afterAll(() => database.close())

test.each<[string, Buffer[] | undefined, Buffer | undefined, number, string]>([
  ['ENCRYPTION_KEYS fits', [OTHER, KEY], undefined, 0, 'all can be read. Keep'],
  ['the generated key fits', undefined, KEY, 0, 'in FILE: set ENCRYPTION_KEYS_FILE'],
  ['ENCRYPTION_KEYS lacks the generated key', [OTHER], KEY, 2, `0 can be read. ${NEEDS_KEYS}`],
  ['neither fits', [OTHER], OTHER, 2, 'With ENCRYPTION_KEYS, 0 can be read.'],
  ['there is no key', undefined, undefined, 2, `No key to read them was found. ${NEEDS_KEYS}`],
])('says what to do if %s', async (_case, configured, generated, unreadable, advice) => {
  const path = at('backhalf.db')
  const file = keyFilePath(`file:${path}`)
  // The key next to the SQLite file.
  if (generated) await writeFile(file, `${generated.toString('base64')}\n`)
  const checked = await checkEncrypted(database.db, { path, configured })
  expect(checked).toMatchObject({ encrypted: 2, unreadable })
  expect(checked.advice.replaceAll(file, 'FILE')).toContain(advice)
  for (const key of [KEY, OTHER]) expect(checked.advice).not.toContain(key.toString('base64'))
})
