import { diskSpace } from '../database/database.ts'
import { databaseKind, postgresName, postgresUrls, sqlitePath } from '../database/database-url.ts'
import { isPostgres } from '../database/dialects.ts'
import {
  mayCreateTables,
  openExistingDatabase,
  readSchemaState,
  tryToWrite,
  type SchemaState,
} from '../database/existing-database.ts'
import { DatabaseUnavailableError } from '../database/errors.ts'
import { createExtensions } from '../database/migrations.ts'
import { readRoles } from '../database/postgres-servers.ts'
import type { Db } from '../database/schema.ts'
import { checkIntact } from '../database/sqlite.ts'
import { isDamaged, SQLITE, sqliteCode } from '../database/sqlite-errors.ts'
import { errorMessage } from '../values/unknown-values.ts'
import { failed, named, ok, rootErrorCode, warning, type Finding, type Result } from './check.ts'

/** @returns `isReadable: true` if the database has Backhalf's tables, and no newer version has changed them */
export async function checkDatabase(url: string, db: Db | undefined) {
  const isSqlite = databaseKind(url) === 'sqlite'
  if (!db) {
    const message = `There is no database yet. The first start creates ${sqlitePath(url)}.`
    return { findings: named('Readable', ok(message)), isReadable: false }
  }
  const label = isSqlite ? sqlitePath(url) : postgresName(url)
  const servers = isSqlite ? [] : named('Servers', ...(await checkServers(url)))
  try {
    const schema = await readSchemaState(db)
    if (isSqlite) await checkIntact(db)
    const kind = isSqlite ? 'SQLite' : 'PostgreSQL'
    return {
      findings: [
        ...named('Readable', ok(`${kind} database ${label}.`)),
        ...servers,
        ...named('Writable', ...(await checkWrites(schema, db, label))),
        ...named('Migrated', checkSchema(schema)),
        ...(isSqlite ? judgeSpace(await diskSpace(url)) : await checkExtensions(db)),
      ],
      isReadable: schema.state === 'migrated' && schema.problem === undefined,
    }
  } catch (error) {
    const { message, fix } = databaseProblem(error, label)
    return { findings: [...named('Readable', failed(message, fix)), ...servers], isReadable: false }
  }
}

export async function checkDatabaseAt(url: string): Promise<Finding[]> {
  await using db = openExistingDatabase(url)
  return (await checkDatabase(url, db)).findings
}

async function checkServers(url: string): Promise<Result[]> {
  if (postgresUrls(url).length === 1) return []
  const servers = await readRoles(url)
  const message = servers.map(describeServer).join(' ')
  if (servers.filter(({ isReplica }) => isReplica === false).length !== 1) {
    return [failed(message, 'Exactly one must accept writes. The others must be its replicas.')]
  }
  if (servers.every(({ isReplica }) => isReplica !== undefined)) return [ok(message)]
  return [warning(message, 'Start that server, or remove it from DATABASE_URL.')]
}

type ServerRole = Awaited<ReturnType<typeof readRoles>>[number]

function describeServer({ url, isReplica, error }: ServerRole): string {
  const host = URL.parse(url)?.host
  if (isReplica === undefined) return `${host} can’t be used (${rootErrorCode(error)}).`
  return isReplica ? `${host} is a replica.` : `${host} accepts writes.`
}

async function checkWrites(schema: SchemaState, db: Db, label: string) {
  try {
    if (schema.state === 'migrated') {
      await tryToWrite(db)
      return [ok('A write was accepted, and undone.')]
    }
    if (!isPostgres(db) || (await mayCreateTables(db))) return []
    return [
      failed(
        'The user in DATABASE_URL can’t create tables.',
        'Make it the owner of the database, or run as a superuser: grant create, usage on schema public to USER;',
      ),
    ]
  } catch (error) {
    const { message, fix, isTemporary } = databaseProblem(error, label)
    return [isTemporary ? warning(message, fix) : failed(message, fix)]
  }
}

type DiskSpace = Awaited<ReturnType<typeof diskSpace>>

/** The alert in deploy/alerts.yml has the same limit. */
export function judgeSpace({ folder, freeBytes, sizeBytes }: DiskSpace): Finding[] {
  if (freeBytes >= sizeBytes / 10) return []
  const message = `Only ${Math.floor((100 * freeBytes) / sizeBytes)} % of the disk is free in ${folder}.`
  const fix = 'Free up some space. On a full disk, no links can be created.'
  return named('Disk', warning(message, fix))
}

async function checkExtensions(db: Db): Promise<Finding[]> {
  try {
    await tryToWrite(db, createExtensions)
    return []
  } catch (error) {
    // createExtensions throws a message that says which commands an administrator must run.
    return named('Extensions', failed('The next start would fail.', errorMessage(error)))
  }
}

function checkSchema(schema: SchemaState): Result {
  if (schema.state === 'empty') return ok('It has no tables yet. The first start creates them.')
  if (schema.state === 'foreign') {
    return failed(
      'It contains another program’s tables, and none of Backhalf’s.',
      'Set DATABASE_URL to a separate database for Backhalf.',
    )
  }
  const { pending, problem, backfills } = schema
  if (problem !== undefined) {
    const fix = 'Install that version again, or restore a backup from before the upgrade.'
    return failed(problem, fix)
  }
  if (pending.length > 0) {
    const steps = pending.length === 1 ? 'One migration is' : `${pending.length} migrations are`
    return warning(
      `${steps} missing: ${pending.join(', ')}.`,
      'Make a backup, then restart Backhalf. It migrates when it starts.',
    )
  }
  if (backfills.length > 0) {
    return warning(
      `The upgrade is not finished: ${backfills.join(', ')}. Lists, searches and reports might leave out links.`,
      'Let Backhalf run. It finishes the upgrade beside requests, and its log shows the progress.',
    )
  }
  return ok('It has the latest schema.')
}

const OWNER_FIX =
  'Make the user who runs Backhalf the owner of the file and its folder (chown), and check that the disk is not mounted read-only.'

const SQLITE_FIX = 'Look at the file and its disk (dmesg), then check again.'
const POSTGRES_FIX =
  'Start PostgreSQL, or correct the host and the port in DATABASE_URL. Check the network in between.'

// By SQLite's result code or PostgreSQL's SQLSTATE.
const FIXES: Record<string, string> = {
  [SQLITE.BUSY]:
    'Check again. If it keeps happening, look for a program that keeps the file open, such as sqlite3.',
  [SQLITE.READONLY]: OWNER_FIX,
  [SQLITE.CANTOPEN]: OWNER_FIX,
  [SQLITE.FULL]: 'Free up some space.',
  '28P01':
    'Correct the user and the password in DATABASE_URL. Characters such as @ : / # in a password must be percent-encoded.',
  '28000': 'Allow the user and this machine’s address in pg_hba.conf.',
  '3D000': 'Create it (createdb), or correct its name in DATABASE_URL.',
  '42501': 'Make the user in DATABASE_URL the owner of the database and its tables.',
  '25006': 'Set DATABASE_URL to the primary server. This one might be a replica.',
  '53300': 'Raise max_connections, or lower DATABASE_POOL_SIZE.',
  '53100': 'Free up some space.',
}

const TEMPORARY = [String(SQLITE.BUSY), '53300']

/** Shows only the message of a DatabaseUnavailableError. Others could contain a secret, so only their code is shown. */
export function databaseProblem(error: unknown, label: string) {
  const causes: unknown[] = []
  for (let at = error; at instanceof Error; at = at.cause) causes.push(at)
  if (causes.some((cause) => isDamaged(cause) || /file is damaged/.test(String(cause)))) {
    return {
      message: `It is damaged, or it is not a database (${label}).`,
      fix: 'Stop Backhalf and restore a backup (npm run admin -- help).',
      isTemporary: false,
    }
  }
  const errcode = causes.map(sqliteCode).find(Boolean)
  const code = String(errcode ?? rootErrorCode(error))
  const unavailable = causes.find((cause) => cause instanceof DatabaseUnavailableError)
  const reason = unavailable?.message ?? `It fails: ${code}`
  return {
    message: `${reason} (${label}).`,
    fix: FIXES[code] ?? (errcode === undefined ? POSTGRES_FIX : SQLITE_FIX),
    isTemporary: TEMPORARY.includes(code),
  }
}
