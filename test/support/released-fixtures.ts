import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseKind } from '../../src/database/database-url.ts'

export const FIXTURES = join(import.meta.dirname, '../fixtures/1.0.0')

/** The secrets of an installation, and the keys, links and requests that its users know. */
export interface ReleasedInstallation {
  /** A minute after the last request. */
  now: string
  encryptionKey: string
  /** API keys by their owner; `reader` is a restricted key of Acme. */
  keys: Record<'acme' | 'ana' | 'reader', string>
  /** IDs of links. */
  links: Record<'renamed' | 'off', string>
  /** A create with the `Idempotency-Key` k1, and its response. */
  idempotent: { fields: Record<string, string>; text: string }
  /** Of a browser that is signed in to the dashboard. */
  cookies: Record<string, string>
}

/** An installation of version 1.0.0 in which everything was used (test/fixtures/1.0.0/README.md). */
export function releasedInstallation(kind: DatabaseKind): ReleasedInstallation {
  return JSON.parse(readFileSync(join(FIXTURES, `${kind}.json`), 'utf8')) as ReleasedInstallation
}
