import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'backhalf-test-'

/** Creates an empty directory. `remove` deletes it with its contents. */
export async function makeTempDir(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), PREFIX))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
}

/** Linux's in-memory file system, and the most space that a run needs in it. */
const MEMORY = '/dev/shm'
const ROOM_BYTES = 1024 ** 3

let remove: () => void

/**
 * Gives the run a temporary directory of its own, which is removed even if the run is interrupted.
 * It is in memory if possible, so that SQLite's commits don't wait for a disk. Vitest calls this
 * in its main process before any test; workers inherit `TMPDIR`.
 */
export async function setup(): Promise<void> {
  const path = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), PREFIX))
  await chmod(path, 0o711) // PostgreSQL can run as another user.
  process.env.TMPDIR = path
  remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
}

/** Vitest calls this after the tests. */
export function teardown(): void {
  process.off('exit', remove)
  remove()
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize >= ROOM_BYTES
  } catch {
    return false
  }
}
