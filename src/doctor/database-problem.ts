import { isDamaged, SQLITE, sqliteCode } from '../database/sqlite-errors.ts'
import { errorCode } from './check.ts'

/** What is wrong with a database, and what to do. */
interface DatabaseProblem {
  message: string
  fix: string
  /** Whether the problem may be temporary. */
  isTemporary?: boolean
}

type Problem = Omit<DatabaseProblem, 'message'> & { reason: string }

const OWNER_FIX =
  'Make the user who runs Backhalf the owner of the file and its folder (chown), and check that the disk is not mounted read-only.'

const SQLITE_PROBLEMS: Record<number, Problem> = {
  [SQLITE.BUSY]: {
    reason: 'Another process has been writing for several seconds',
    fix: 'Run the doctor again. If it keeps happening, look for a program that keeps the file open, such as sqlite3.',
    isTemporary: true,
  },
  [SQLITE.READONLY]: { reason: 'It is read-only', fix: OWNER_FIX },
  [SQLITE.CANTOPEN]: { reason: 'The file can’t be opened', fix: OWNER_FIX },
  [SQLITE.IOERR]: { reason: 'Its disk reports an error', fix: 'Check the disk (dmesg).' },
  [SQLITE.FULL]: { reason: 'Its disk is full', fix: 'Free up some space.' },
}

const POSTGRES_PROBLEMS: Record<string, Problem> = {
  '28P01': {
    reason: 'PostgreSQL refuses the user or the password',
    fix: 'Correct them in DATABASE_URL. Characters such as @ : / # in a password must be percent-encoded.',
  },
  '28000': {
    reason: 'PostgreSQL does not let this user in from here',
    fix: 'Allow the user and this machine’s address in pg_hba.conf.',
  },
  '3D000': {
    reason: 'There is no such database',
    fix: 'Create it (createdb), or correct its name in DATABASE_URL.',
  },
  '42501': {
    reason: 'The user in DATABASE_URL lacks a permission',
    fix: 'Make the user the owner of the database and its tables.',
  },
  '25006': {
    reason: 'It is read-only, as a replica is',
    fix: 'Set DATABASE_URL to the primary server.',
  },
  '53300': {
    reason: 'PostgreSQL has no connection left',
    fix: 'Raise max_connections, or lower DATABASE_POOL_SIZE.',
    isTemporary: true,
  },
  '53100': { reason: 'Its disk is full', fix: 'Free up some space.' },
  ERR_INVALID_URL: {
    reason: 'This is not a URL',
    fix: 'Special characters in the password must be encoded, such as %40 for @.',
  },
}

/** Node's codes if there is no connection. */
const NETWORK = /^E(?:CONN|NOTFOUND|AI_AGAIN|TIMEDOUT|HOST|NET|PIPE)/

/**
 * Explains an error of a database. Of the error itself, only the code is shown.
 *
 * @param shown which database it is
 */
export function databaseProblem(error: unknown, shown: string): DatabaseProblem {
  const causes: unknown[] = []
  for (let at = error; at instanceof Error; at = at.cause) causes.push(at)
  if (causes.some((cause) => isDamaged(cause) || /file is damaged/.test(String(cause)))) {
    return {
      message: `It is damaged, or it is not a database (${shown}).`,
      fix: 'Stop Backhalf and restore a backup (npm run admin -- help).',
    }
  }
  const sqlite = causes.map((cause) => SQLITE_PROBLEMS[sqliteCode(cause)]).find(Boolean)
  const code = errorCode(error)
  const { reason, ...rest } = sqlite ??
    POSTGRES_PROBLEMS[code] ?? {
      reason: NETWORK.test(code) ? `It can’t be reached: ${code}` : `It fails: ${code}`,
      fix: 'Start PostgreSQL, or correct the host and the port in DATABASE_URL. Check the network in between.',
    }
  return { message: `${reason} (${shown}).`, ...rest }
}

/** The host and the database of a URL, without the user and the password. */
export function postgresName(url: string): string {
  const { host = '', pathname = '' } = URL.parse(url) ?? {}
  return `${pathname.slice(1) || '(default)'} at ${host || 'the local socket'}`
}
