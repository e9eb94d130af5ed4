import { randomBytes } from 'node:crypto'
import { access, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadOrCreateKeys } from '../src/workspaces/encryption-keys.ts'

/*
 * Creates the secrets of compose.yaml, so that you don't have to: `node deploy/create-secrets.ts FOLDER`.
 * Existing files are kept, because the database and the stored tokens depend on them.
 */

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node deploy/create-secrets.ts FOLDER')

const password = randomBytes(24).toString('hex')
await loadOrCreateKeys(join(folder, 'encryption-keys'))
if (!(await exists('database-password'))) {
  // The URL comes first: if only the password were written, no later run would create the URL.
  await create('database-url', `postgres://backhalf:${password}@database/backhalf`, 0o400)
  // PostgreSQL runs as another user and has to read it. Only the containers that mount the volume can.
  await create('database-password', password, 0o444)
}

async function exists(name: string): Promise<boolean> {
  return access(join(String(folder), name)).then(
    () => true,
    () => false,
  )
}

/** Writes a file as a whole or not at all. */
async function create(name: string, text: string, mode: number): Promise<void> {
  const path = join(String(folder), name)
  await rm(`${path}.partial`, { force: true })
  await writeFile(`${path}.partial`, `${text}\n`, { mode, flush: true })
  await rename(`${path}.partial`, path)
}
