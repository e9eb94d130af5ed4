import type { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import * as baseline from './migrations/001-baseline.ts'
import * as lighter from './migrations/002-lighter.ts'
import * as makers from './migrations/003-makers.ts'
import * as people from './migrations/004-people.ts'
import * as clicksByOwner from './migrations/005-clicks-by-owner.ts'
import * as campaigns from './migrations/006-campaigns.ts'
import * as domainPages from './migrations/007-domain-pages.ts'
import * as beside100 from './migrations/008-beside-1-0-0.ts'
import * as names from './migrations/009-names.ts'
import * as backups from './migrations/011-backups.ts'
import * as erasePeople from './migrations/012-erase-people.ts'
import * as alerts from './migrations/013-alerts.ts'
import * as requestsAndImports from './migrations/014-requests-and-imports.ts'
import * as countedRequests from './migrations/016-counted-requests.ts'

/** A step runs on older tables than the schema describes, so `db` has no schema here. */
interface Step {
  /** @param bytes the database's column type for raw bytes */
  up(db: Kysely<never>, bytes: 'blob' | 'bytea'): Promise<void>
}

/**
 * The steps run once each, in this order. Never edit a released step. Add another one instead. The release before works
 * beside the new schema (test/database/beside-release.test.ts): a step only adds and fills, and a step of the next release
 * requires and removes.
 */
const STEPS: Record<string, Step> = {
  '001-baseline': baseline,
  '002-lighter': lighter,
  '003-makers': makers,
  '004-people': people,
  '005-clicks-by-owner': clicksByOwner,
  '006-campaigns': campaigns,
  '007-domain-pages': domainPages,
  '008-beside-1-0-0': beside100,
  '009-names': names,
  '011-backups': backups,
  '012-erase-people': erasePeople,
  '013-alerts': alerts,
  '014-requests-and-imports': requestsAndImports,
  '016-counted-requests': countedRequests,
}

/** The steps that this version knows. */
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

/** How the steps that a database has recorded relate to those of this version. */
export interface SchemaVersion {
  /** Steps that this version knows and that have not run. */
  pending: readonly string[]
  /** Why this version can't use the database, for the user; undefined if it can, perhaps after it has migrated it. */
  problem: string | undefined
}

/** @param recorded the names of the steps that have run */
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

/** The names of the steps that have run in a SQLite file. @throws if it is not a database of Backhalf */
export function recordedIn(database: DatabaseSync): string[] {
  const rows = database.prepare('select name from kysely_migration').all()
  return rows.map(({ name }) => String(name))
}

/** The steps for Kysely's migrator, which runs them in the order of their names. */
export function migrations(
  bytes: 'blob' | 'bytea',
  begins: (name: string) => void,
): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(STEPS).map(([name, step]) => [
      name,
      {
        up: (db: Kysely<never>) => {
          begins(name)
          return step.up(db, bytes)
        },
      },
    ]),
  )
}
