import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { domainToASCII } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { bareHostname } from './addresses.ts'

/** How often the file is looked at, in milliseconds. */
const LOOK_EVERY_MS = 2_000

/** Hostnames that no link may lead to. */
export interface Blocklist {
  /** Whether a hostname, or a domain that it belongs to, is on the list. */
  blocks(hostname: string): boolean
  /** Looks at the file no more. */
  close(): void
}

/** For a service without a blocklist. */
export const NO_BLOCKLIST: Blocklist = { blocks: () => false, close: () => undefined }

/**
 * Reads a file of hostnames, one a line, `#` before a comment, and reads it again when it changes.
 * Where that fails, what was read last stays in force.
 *
 * @param lookEveryMs how often to look whether the file has changed
 * @throws when the file can't be read, or a line is no hostname
 */
export async function openBlocklist(
  path: string,
  logger: FastifyBaseLogger,
  lookEveryMs = LOOK_EVERY_MS,
): Promise<Blocklist> {
  let hostnames = parseBlocklist(
    await readFile(path, 'utf8').catch((error: unknown) => {
      throw new Error(
        `The blocklist that BLOCKLIST_PATH names can’t be read: ${(error as Error).message}`,
      )
    }),
  )
  const reload = async (): Promise<void> => {
    try {
      hostnames = parseBlocklist(await readFile(path, 'utf8'))
      logger.info(`the blocklist has changed: ${hostnames.size} hostnames`)
    } catch (err) {
      logger.error({ err }, 'the changed blocklist can’t be read; the earlier one stays in force')
    }
  }
  const listener = (): void => void reload()
  watchFile(path, { interval: lookEveryMs, persistent: false }, listener)
  return {
    blocks(hostname) {
      if (hostnames.size === 0) return false
      const labels = bareHostname(hostname).split('.')
      return labels.some((_, at) => hostnames.has(labels.slice(at).join('.')))
    },
    close: () => unwatchFile(path, listener),
  }
}

function parseBlocklist(text: string): ReadonlySet<string> {
  const hostnames = new Set<string>()
  for (const [at, line] of text.split('\n').entries()) {
    const entry = line.replace(/#.*/, '').trim()
    if (!entry) continue
    // Punycode, and addresses as URLs have them. Wildcards are not needed, and would match nothing.
    const hostname = bareHostname(domainToASCII(entry))
    if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(hostname) || /[/:@]/.test(entry)) {
      throw new Error(`line ${at + 1} of the blocklist (BLOCKLIST_PATH) is no hostname`)
    }
    hostnames.add(hostname)
  }
  return hostnames
}
