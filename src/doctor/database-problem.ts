import { DatabaseUnavailableError } from '../database/errors.ts'
import { isDamaged, SQLITE, sqliteCode } from '../database/sqlite-errors.ts'
import { rootErrorCode } from './check.ts'

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

/**
 * Explains a database error, and how to fix it. Only the message of a DatabaseUnavailableError is shown. Other messages
 * could contain a secret, so only their code is shown.
 * @param label the path or the name of the database
 */
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
