import { readFile, stat } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import { parseBlockedHosts } from './blocked-hosts.ts'

/** How often to check whether the file has changed, in milliseconds. */
const CHECK_EVERY_MS = 2_000

/** Hosts that no link may redirect to. */
export interface Blocklist {
  /** Whether a URL's hostname, a domain that it belongs to, or its address is on the list. */
  blocks(hostname: string): boolean
  /** Reads the file again if it has changed. This happens by itself every two seconds. */
  refresh(): Promise<void>
  /** Stops checking the file. */
  close(): void
}

/** Blocks nothing. */
export const EMPTY_BLOCKLIST: Blocklist = {
  blocks: () => false,
  refresh: () => Promise.resolve(),
  close: () => undefined,
}

/**
 * Opens a file with one hostname, address or network per line, and comments after `#`. A change of the
 * file takes effect without a restart. If the changed file can't be read, the earlier list stays in
 * effect.
 *
 * @throws if the file can't be read, or if a line is invalid
 */
export async function openBlocklist(path: string, logger: FastifyBaseLogger): Promise<Blocklist> {
  // Taken before the file is read, so that a change while it is read counts as one.
  let version = await versionOf(path)
  let hosts = parseBlockedHosts(
    await readFile(path, 'utf8').catch((error: unknown) => {
      throw new Error(`The blocklist (BLOCKLIST_PATH) can’t be read: ${(error as Error).message}`)
    }),
  )

  async function refresh(): Promise<void> {
    const current = await versionOf(path)
    if (current === version) return
    version = current
    try {
      hosts = parseBlockedHosts(await readFile(path, 'utf8'))
      logger.info(`the blocklist has changed: ${hosts.size} entries`)
    } catch (err) {
      logger.error({ err }, 'the changed blocklist can’t be read; the earlier one stays in effect')
    }
  }

  const timer = setInterval(() => void refresh(), CHECK_EVERY_MS)
  timer.unref()
  return {
    blocks: (hostname) => hosts.has(hostname),
    refresh,
    close: () => clearInterval(timer),
  }
}

/** Changes whenever the file is written, replaced or removed. */
async function versionOf(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ ino, mtimeNs, ctimeNs, size }) => [ino, mtimeNs, ctimeNs, size].join(' '),
    () => 'unreadable',
  )
}
