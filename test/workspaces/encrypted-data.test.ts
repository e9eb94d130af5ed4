import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { checkEncrypted } from '../../src/workspaces/encrypted-data.ts'
import { keyFilePath } from '../../src/workspaces/encryption-keys.ts'
import { createKeyring } from '../../src/workspaces/keyring.ts'
import { createWorkspaces } from '../../src/workspaces/workspaces.ts'
import { openTempDatabase } from '../support/databases.ts'
import { makeTempDir } from '../support/temp-dir.ts'

const [KEY, OTHER] = [randomBytes(32), randomBytes(32)]

let database: Database
let directory: Awaited<ReturnType<typeof makeTempDir>>
beforeAll(async () => {
  directory = await makeTempDir()
  database = await openTempDatabase()
  const workspaces = createWorkspaces({ database, keyring: createKeyring([KEY]) })
  const domains = [{ name: 'd', domain_name: 'go.example.com' }]
  for (const id of ['T1', 'T2']) await workspaces.connect(id, { apiKey: 'k', domains }, 'U1')
})
afterAll(async () => {
  await database.close()
  await directory.remove()
})

/** @param generated the key next to the SQLite file */
async function check(configured: Buffer[] | undefined, generated: Buffer | undefined) {
  const path = join(directory.path, generated ? 'with' : 'without', 'backhalf.db')
  if (generated) {
    const folder = await makeTempDir()
    const file = keyFilePath(`file:${join(folder.path, 'backhalf.db')}`)
    await writeFile(file, `${generated.toString('base64')}\n`)
    const checked = await checkEncrypted(database.db, {
      path: join(folder.path, 'backhalf.db'),
      configured,
    })
    await folder.remove()
    return { ...checked, advice: checked.advice.replaceAll(file, 'FILE') }
  }
  return checkEncrypted(database.db, { path, configured })
}

test.each([
  [
    'ENCRYPTION_KEYS fits',
    [OTHER, KEY],
    undefined,
    0,
    '2. With ENCRYPTION_KEYS, all can be read. Keep',
  ],
  ['the generated key fits', undefined, KEY, 0, 'in FILE: set ENCRYPTION_KEYS_FILE'],
  [
    'ENCRYPTION_KEYS lacks the generated key',
    [OTHER],
    KEY,
    2,
    'ENCRYPTION_KEYS, 0 can be read. PostgreSQL needs ENCRYPTION_KEYS',
  ],
  ['neither fits', [OTHER], OTHER, 2, 'With ENCRYPTION_KEYS, 0 can be read.'],
  ['there is no key', undefined, undefined, 2, '0 can be read. PostgreSQL needs ENCRYPTION_KEYS'],
])('says what to do if %s', async (_case, configured, generated, unreadable, advice) => {
  const checked = await check(configured, generated)
  expect(checked).toMatchObject({ encrypted: 2, unreadable })
  expect(checked.advice).toContain(advice)
  for (const key of [KEY, OTHER]) expect(checked.advice).not.toContain(key.toString('base64'))
})
