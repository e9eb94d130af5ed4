import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { KEY_BYTES } from './keyring.ts'
import { KeyringError } from './keyring-error.ts'

/** 32 bytes in base64, also in the alphabet for URLs. */
const BASE64_KEY = /^[\w+/-]{43}=?$/

/**
 * Reads encryption keys as ENCRYPTION_KEYS and the key file hold them: base64 of 32 bytes each,
 * separated by commas, newest first.
 *
 * @throws KeyringError that says which one is wrong, and never its value
 */
export function parseKeys(text: string): Buffer[] {
  const parts = text.split(',').map((part) => part.trim())
  return parts.map((part, index) => {
    const key = Buffer.from(part, 'base64')
    if (BASE64_KEY.test(part) && key.length === KEY_BYTES) return key
    throw new KeyringError(
      `Encryption key ${index + 1} of ${parts.length} is not base64 of ${KEY_BYTES} bytes. ` +
        'Make one with: openssl rand -base64 32',
    )
  })
}

/**
 * Reads the key file, or makes it with one new key. Processes that start at once agree on it.
 * Whoever loses this file loses what was sealed: it belongs into the backup.
 *
 * @throws KeyringError when the file holds something else; the system's error when it can't be
 *   read or made
 */
export async function loadOrCreateKeys(path: string): Promise<Buffer[]> {
  try {
    return parseKeys(await readFile(path, 'utf8'))
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  await createKeyFile(path)
  return parseKeys(await readFile(path, 'utf8'))
}

/** Writes the whole file aside and gives it its name only then; whoever is first wins. */
async function createKeyFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`)
    await file.sync()
    await link(draft, path)
    await syncDirectory(dirname(path))
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await file.close()
    await unlink(draft)
  }
}

/** Makes the new name survive a power cut. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
