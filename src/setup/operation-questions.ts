import { randomBytes } from 'node:crypto'
import { runCheck } from '../doctor/check.ts'
import { checkDatabaseAt } from '../doctor/database-checks.ts'
import { askSettings, isPublic, type Setup } from './ask.ts'

const SYSTEMD_DATABASE = 'file:/var/lib/backhalf/backhalf.db'

/** The address of a proxy on this machine. If Backhalf does not trust it, all visitors seem to have this address. */
const LOCAL_PROXY = '127.0.0.1'

export async function askOperation(setup: Setup): Promise<void> {
  const { PUBLIC_URL, SERVICE_PUBLIC_URL } = setup.settings
  await askDatabase(setup)
  if (isPublic(PUBLIC_URL) || isPublic(SERVICE_PUBLIC_URL)) await askProxy(setup)
  if (PUBLIC_URL !== undefined) await askOperator(setup)
}

async function askDatabase(setup: Setup): Promise<void> {
  const { terminal, settings, saved } = setup
  const earlierPostgres = isPostgres(saved.DATABASE_URL) ? saved.DATABASE_URL : undefined
  const wasSystemd = saved.DATABASE_URL === SYSTEMD_DATABASE
  const withoutPostgres = wasSystemd ? 'systemd' : 'sqlite'
  const earlierData = earlierPostgres ? 'postgres' : withoutPostgres
  const data = await terminal.choose('Where should Backhalf store its data?', earlierData, {
    sqlite: {
      name: 'In a file on this machine (recommended)',
      description: 'It needs nothing else. The file is data/backhalf.db (SQLite).',
    },
    systemd: {
      name: 'In /var/lib/backhalf, for deploy/backhalf.service (systemd)',
      description: 'The unit can write nowhere else. The file is backhalf.db (SQLite).',
    },
    postgres: {
      name: 'In PostgreSQL',
      description: 'Choose this for several machines, or if you already run PostgreSQL.',
    },
  })
  if (data === 'systemd') settings.DATABASE_URL = SYSTEMD_DATABASE
  if (data === 'sqlite' && (earlierPostgres || wasSystemd)) settings.DATABASE_URL = undefined
  if (data !== 'postgres') return
  terminal.say(
    `Enter the database’s URL, such as
postgres://user:password@db.example.com/backhalf. The database must exist. Backhalf creates its tables when it starts.`,
  )
  const question = {
    setting: 'DATABASE_URL',
    message: 'Database URL',
    isSecret: true,
    preset: earlierPostgres,
    problem: (text: string) => (isPostgres(text) ? undefined : 'It must start with postgres://.'),
  } as const
  await askSettings(setup, [question], {
    subject: 'the database',
    canBeKept: true,
    check: ({ DATABASE_URL: url = '' }) => runCheck('The database', () => checkDatabaseAt(url)),
  })
  settings.ENCRYPTION_KEYS = saved.ENCRYPTION_KEYS ?? randomBytes(32).toString('base64')
}

async function askProxy(setup: Setup): Promise<void> {
  const { TRUST_PROXY: trusted = LOCAL_PROXY } = setup.saved
  const earlierProxy = trusted === LOCAL_PROXY ? 'here' : 'elsewhere'
  const question = 'Which proxy passes https requests on to Backhalf?'
  const proxy = await setup.terminal.choose(question, earlierProxy, {
    here: {
      name: 'One on this machine, such as Caddy',
      description: 'Backhalf then believes it from which address a visitor comes.',
    },
    elsewhere: { name: 'One on another machine, such as a load balancer' },
    none: { name: 'None' },
  })
  if (proxy !== 'elsewhere') {
    setup.settings.TRUST_PROXY = proxy === 'here' ? LOCAL_PROXY : undefined
    return
  }
  const message = 'Its addresses or networks, separated by commas, such as 10.0.0.0/8:'
  await askSettings(setup, [{ setting: 'TRUST_PROXY', message }])
}

async function askOperator(setup: Setup): Promise<void> {
  setup.terminal.say(
    `Backhalf has pages for its users and for people who review apps: a privacy
policy and a support page. They name who runs Backhalf. You can leave each answer
empty, and add it to .env later.`,
  )
  await askSettings(setup, [
    { setting: 'OPERATOR_NAME', message: 'Who runs it, such as Example Inc.:', canBeEmpty: true },
    { setting: 'SUPPORT_EMAIL', message: 'Email address for support:', canBeEmpty: true },
    { setting: 'SUPPORT_URL', message: 'Page for support:', canBeEmpty: true },
    {
      setting: 'PRIVACY_CONTACT',
      message: 'Email address or page for questions about personal data:',
      canBeEmpty: true,
    },
  ])
}

function isPostgres(url: string | undefined): boolean {
  return /^postgres(ql)?:\/\//.test(url ?? '')
}
