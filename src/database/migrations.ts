import type { ColumnDataType, Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import * as workspaces from './migrations/001-workspaces.ts'
import * as service from './migrations/002-service.ts'
import * as slackApp from './migrations/003-slack-app.ts'
import * as linkService from './migrations/004-link-service.ts'
import * as largeData from './migrations/005-large-data.ts'
import * as severalProcesses from './migrations/006-several-processes.ts'
import * as previewSize from './migrations/007-preview-size.ts'
import * as linkLife from './migrations/008-link-life.ts'
import * as madeLinks from './migrations/009-made-links.ts'
import * as search from './migrations/010-search.ts'
import * as listMadeLinks from './migrations/011-list-made-links.ts'
import * as reminders from './migrations/012-reminders.ts'
import * as searchPath from './migrations/013-search-path.ts'
import * as publicHosts from './migrations/014-public-hosts.ts'
import * as keyNotices from './migrations/015-key-notices.ts'

/** A step runs on older tables than the schema describes, so `db` has no schema here. */
interface Step {
  /** @param bytes the database's column type for raw bytes */
  up(db: Kysely<never>, bytes: ColumnDataType): Promise<void>
}

/** The steps run once each, in this order. Never edit a released step. Add another one instead. */
const STEPS: Record<string, Step> = {
  '001-workspaces': workspaces,
  '002-service': service,
  '003-slack-app': slackApp,
  '004-link-service': linkService,
  '005-large-data': largeData,
  '006-several-processes': severalProcesses,
  '007-preview-size': previewSize,
  '008-link-life': linkLife,
  '009-made-links': madeLinks,
  '010-search': search,
  '011-list-made-links': listMadeLinks,
  '012-reminders': reminders,
  '013-search-path': searchPath,
  '014-public-hosts': publicHosts,
  '015-key-notices': keyNotices,
}

/** The steps that this version knows. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(STEPS)

/** The steps for Kysely's migrator, which runs them in the order of their names. */
export function migrations(bytes: ColumnDataType): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(STEPS).map(([name, step]) => [
      name,
      { up: (db: Kysely<never>) => step.up(db, bytes) },
    ]),
  )
}
