import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import * as workspaces from './migrations/001-workspaces.ts'
import * as service from './migrations/002-service.ts'
import * as slackApp from './migrations/003-slack-app.ts'
import * as linkService from './migrations/004-link-service.ts'
import type { DatabaseKind, Dialect } from './migrations/dialect.ts'

/** A migration's tables are its own business, so `db` has no schema here. */
export interface Step {
  up(db: Kysely<never>, dialect: Dialect): Promise<void>
}

/** Run in this order, each once. Never edit one that has been released: add another. */
const STEPS: Record<string, Step> = {
  '001-workspaces': workspaces,
  '002-service': service,
  '003-slack-app': slackApp,
  '004-link-service': linkService,
}

/** Every step that this version knows. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(STEPS)

/** The steps for Kysely's migrator, by name; it runs them in the order of the names. */
export function migrations(kind: DatabaseKind): Record<string, Migration> {
  const dialect: Dialect = { kind, bytes: kind === 'sqlite' ? 'blob' : 'bytea' }
  return Object.fromEntries(
    Object.entries(STEPS).map(([name, step]) => [
      name,
      { up: (db: Kysely<never>) => step.up(db, dialect) },
    ]),
  )
}
