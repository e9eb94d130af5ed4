import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { errorCode, failed, ok, warning, type Finding } from '../doctor/check.ts'
import { askUntilAccepted } from './checked-answer.ts'
import type { Settings } from './env-file.ts'
import { askSecretSetting, type Asking } from './questions.ts'

/** Asks where the data is stored. PostgreSQL needs an encryption key, which is generated. */
export async function askDatabase(asking: Asking): Promise<Settings> {
  const { terminal, earlier } = asking
  const usesPostgres = /^postgres/.test(earlier.DATABASE_URL ?? '')
  const kind = await terminal.choose(
    'Where should Backhalf store its data?',
    [
      {
        value: 'sqlite',
        name: 'In a file on this machine (recommended)',
        short: 'In a file on this machine',
        description: 'It needs nothing else. The file is data/backhalf.db (SQLite).',
      },
      {
        value: 'postgres',
        name: 'In PostgreSQL',
        description: 'Choose this for several machines, or if you already run PostgreSQL.',
      },
    ],
    usesPostgres ? 'postgres' : 'sqlite',
  )
  if (kind === 'sqlite') return usesPostgres ? { DATABASE_URL: undefined } : {}
  terminal.say(
    `Enter the database’s URL, such as
postgres://user:password@db.example.com/backhalf. The database must exist. Backhalf creates its tables when it starts.`,
  )
  const url = await askUntilAccepted(terminal, {
    what: 'the database',
    ask: () => askPostgresUrl({ ...asking, earlier: usesPostgres ? earlier : {} }),
    check: async (text) => [await checkConnection(text)],
  })
  return {
    DATABASE_URL: url,
    ENCRYPTION_KEYS: earlier.ENCRYPTION_KEYS ?? randomBytes(32).toString('base64'),
  }
}

async function askPostgresUrl(asking: Asking): Promise<string> {
  for (;;) {
    const url = await askSecretSetting(asking, 'DATABASE_URL', 'Database URL')
    if (/^postgres(ql)?:\/\//.test(url)) return url
    asking.terminal.report('bad', 'It must start with postgres://.')
  }
}

const CONNECT_MS = 8_000

/** Connects, and changes nothing. Messages of the driver may contain parts of the URL, so none is shown. */
async function checkConnection(connectionString: string): Promise<Finding> {
  const name = 'The database'
  let client: Client | undefined
  try {
    client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_MS })
    // A connection that breaks later must not end the process.
    client.on('error', () => undefined)
    await client.connect()
    return ok(name, 'PostgreSQL accepts the user, the password and the database.')
  } catch (error) {
    const code = errorCode(error)
    const refusal = REFUSALS[code]
    if (refusal !== undefined) return failed(name, refusal, 'Enter the URL again.')
    return warning(
      name,
      `Not checked. There is no connection (${code}).`,
      'Check the host and port in the URL, and whether the database is running.',
    )
  } finally {
    await client?.end().catch(() => undefined)
  }
}

/** PostgreSQL's codes for a URL that is wrong. */
const REFUSALS: Readonly<Record<string, string | undefined>> = {
  '28P01': 'PostgreSQL refuses the user name or the password (28P01).',
  '28000': 'PostgreSQL does not let this user in (28000).',
  '3D000': 'PostgreSQL has no database with this name (3D000).',
  ERR_INVALID_URL:
    'This is not a URL. Special characters in the password must be encoded, such as %40 for @.',
}
