import type { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import * as baseline from './migrations/001-baseline.ts'
import * as since100 from './migrations/002-since-1-0-0.ts'
import * as beside100 from './migrations/003-beside-1-0-0.ts'
import * as backfills from './migrations/004-backfills.ts'

/** A step runs on older tables than the schema describes, so `db` has no schema here. */
interface Step {
  up(db: Kysely<never>): Promise<void>
}

/**
 * The steps run once each, in this order. Never edit a released step. Add another one instead. A step only adds, because
 * processes of the previous release work with the new schema (test/database/beside-release.slow.test.ts). Only the next
 * release can require the additions, or remove what they replace. A step takes milliseconds at any number of links, because
 * requests wait for it. Work that takes longer is a back-fill (004-backfills.ts).
 */
export const STEPS: Record<string, Step> = {
  '001-baseline': baseline,
  '002-since-1-0-0': since100,
  '003-beside-1-0-0': beside100,
  '004-backfills': backfills,
}

export const MIGRATION_NAMES: readonly string[] = Object.keys(STEPS)

/** What version 1.0.0 recorded. Its schema is what the baseline makes. */
export const STEPS_OF_1_0_0 = [
  '001-workspaces',
  '002-service',
  '003-slack-app',
  '004-link-service',
  '005-large-data',
  '006-several-processes',
  '007-preview-size',
  '008-link-life',
  '009-made-links',
  '010-search',
  '011-list-made-links',
  '012-reminders',
  '013-search-path',
  '014-public-hosts',
  '015-key-notices',
] as const

export interface SchemaVersion {
  pending: readonly string[]
  /** Why this version can't use the database, for the user; undefined if it can, perhaps after it has migrated it. */
  problem: string | undefined
}

export function schemaVersion(recorded: readonly string[]): SchemaVersion {
  const isOf100 = recorded.toSorted().join() === STEPS_OF_1_0_0.join()
  const known = isOf100 ? MIGRATION_NAMES.slice(0, 1) : recorded
  const unknown = known.filter((name) => !MIGRATION_NAMES.includes(name))
  return {
    pending: MIGRATION_NAMES.filter((name) => !known.includes(name)),
    problem:
      unknown.length > 0
        ? `A newer version of Backhalf has changed it (${unknown.join(', ')}).`
        : undefined,
  }
}

export function recordedIn(database: DatabaseSync): string[] {
  const rows = database.prepare('select name from kysely_migration').all()
  return rows.map(({ name }) => String(name))
}
