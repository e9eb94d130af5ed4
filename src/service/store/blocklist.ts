import { readFile, stat } from 'node:fs/promises'
import { domainToASCII } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { normalizeHostname } from './addresses.ts'

/** How often to check whether the file has changed, in milliseconds. */
const CHECK_EVERY_MS = 2_000

/** Hostnames that no link may redirect to. */
export interface Blocklist {
  /** Whether a hostname, or a domain that it belongs to, is on the list. */
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
 * Opens a file with one hostname per line and comments after `#`. A change of the file takes effect
 * without a restart. If the changed file can't be read, the earlier list stays in effect.
 *
 * @throws if the file can't be read, or a line is not a hostname
 */
export async function openBlocklist(path: string, logger: FastifyBaseLogger): Promise<Blocklist> {
  // Taken before the file is read, so that a change while it is read counts as one.
  let version = await versionOf(path)
  let hostnames = parseBlocklist(
    await readFile(path, 'utf8').catch((error: unknown) => {
      throw new Error(`The blocklist (BLOCKLIST_PATH) can’t be read: ${(error as Error).message}`)
    }),
  )

  async function refresh(): Promise<void> {
    const current = await versionOf(path)
    if (current === version) return
    version = current
    try {
      hostnames = parseBlocklist(await readFile(path, 'utf8'))
      logger.info(`the blocklist has changed: ${hostnames.size} hostnames`)
    } catch (err) {
      logger.error({ err }, 'the changed blocklist can’t be read; the earlier one stays in effect')
    }
  }

  const timer = setInterval(() => void refresh(), CHECK_EVERY_MS)
  timer.unref()
  return {
    blocks(hostname) {
      if (hostnames.size === 0) return false
      const labels = normalizeHostname(hostname).split('.')
      return labels.some((_, at) => hostnames.has(labels.slice(at).join('.')))
    },
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

function parseBlocklist(text: string): ReadonlySet<string> {
  const hostnames = new Set<string>()
  for (const [at, line] of text.split('\n').entries()) {
    const entry = line.replace(/#.*/, '').trim()
    if (!entry) continue
    // In the form that URLs use. A wildcard would match nothing, so it is an error.
    const hostname = normalizeHostname(domainToASCII(entry))
    if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(hostname) || /[/:@]/.test(entry)) {
      throw new Error(`line ${at + 1} of the blocklist (BLOCKLIST_PATH) is not a hostname`)
    }
    hostnames.add(hostname)
  }
  return hostnames
}
