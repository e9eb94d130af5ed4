import { randomBytes } from 'node:crypto'
import { runCheck } from '../doctor/check.ts'
import { checkDatabaseAt } from '../doctor/database-checks.ts'
import type { Step } from './ask.ts'
import { isPublic } from './public-address.ts'

const SYSTEMD_DATABASE = 'file:/var/lib/backhalf/backhalf.db'

/** If Backhalf does not trust this proxy, all visitors seem to have its address. */
const LOCAL_PROXY = '127.0.0.1'

/** Steps that ask about the data, the proxy and the operator of a deployment. */
export const OPERATION: readonly Step[] = [
  {
    choose: 'data',
    message: 'Where should Backhalf store its data?',
    choices: [
      {
        value: 'sqlite',
        name: 'In a file on this machine (recommended)',
        short: 'In a file on this machine',
        description: 'It needs nothing else. The file is data/backhalf.db (SQLite).',
      },
      {
        value: 'systemd',
        name: 'In /var/lib/backhalf, for deploy/backhalf.service (systemd)',
        description: 'The unit can write nowhere else. The file is backhalf.db (SQLite).',
      },
      {
        value: 'postgres',
        name: 'In PostgreSQL',
        description: 'Choose this for several machines, or if you already run PostgreSQL.',
      },
    ],
    preset: ({ DATABASE_URL: url }) =>
      isPostgres(url) ? 'postgres' : url === SYSTEMD_DATABASE ? 'systemd' : 'sqlite',
    implies({ chosen, earlier: { DATABASE_URL: url } }) {
      if (chosen.data === 'systemd') return { DATABASE_URL: SYSTEMD_DATABASE }
      const isOther = isPostgres(url) || url === SYSTEMD_DATABASE
      return chosen.data === 'sqlite' && isOther ? { DATABASE_URL: undefined } : {}
    },
  },
  {
    when: ({ chosen }) => chosen.data === 'postgres',
    say: `Enter the database’s URL, such as
postgres://user:password@db.example.com/backhalf. The database must exist. Backhalf creates its tables when it starts.`,
    questions: [
      {
        setting: 'DATABASE_URL',
        message: 'Database URL',
        isSecret: true,
        preset: ({ DATABASE_URL: url }) => (isPostgres(url) ? url : undefined),
        problem: (text) => (isPostgres(text) ? undefined : 'It must start with postgres://.'),
      },
    ],
    what: 'the database',
    canBeKept: true,
    check: ({ DATABASE_URL: url = '' }) => runCheck('The database', () => checkDatabaseAt(url)),
    implies: ({ earlier }) => ({
      ENCRYPTION_KEYS: earlier.ENCRYPTION_KEYS ?? randomBytes(32).toString('base64'),
    }),
  },
  {
    when: ({ settings }) => isPublic(settings.PUBLIC_URL) || isPublic(settings.SERVICE_PUBLIC_URL),
    choose: 'proxy',
    message: 'Which proxy passes https requests on to Backhalf?',
    choices: [
      {
        value: 'here',
        name: 'One on this machine, such as Caddy',
        description: 'Backhalf then believes it from which address a visitor comes.',
      },
      { value: 'elsewhere', name: 'One on another machine, such as a load balancer' },
      { value: 'none', name: 'None' },
    ],
    preset: ({ TRUST_PROXY: proxy = LOCAL_PROXY }) =>
      proxy === LOCAL_PROXY ? 'here' : 'elsewhere',
    implies: ({ chosen }) =>
      chosen.proxy === 'elsewhere'
        ? {}
        : { TRUST_PROXY: chosen.proxy === 'here' ? LOCAL_PROXY : undefined },
  },
  {
    when: ({ chosen }) => chosen.proxy === 'elsewhere',
    questions: [
      {
        setting: 'TRUST_PROXY',
        message: 'Its addresses or networks, separated by commas, such as 10.0.0.0/8:',
      },
    ],
  },
  {
    when: ({ settings }) => settings.PUBLIC_URL !== undefined,
    say: `Backhalf has pages for its users and for people who review apps: a privacy
policy and a support page. They name who runs Backhalf. You can leave each answer
empty, and add it to .env later.`,
    questions: [
      { setting: 'OPERATOR_NAME', message: 'Who runs it, such as Example Inc.:', canBeEmpty: true },
      { setting: 'SUPPORT_EMAIL', message: 'Email address for support:', canBeEmpty: true },
      { setting: 'SUPPORT_URL', message: 'Page for support:', canBeEmpty: true },
      {
        setting: 'PRIVACY_CONTACT',
        message: 'Email address or page for questions about personal data:',
        canBeEmpty: true,
      },
    ],
  },
]

function isPostgres(url: string | undefined): boolean {
  return /^postgres(ql)?:\/\//.test(url ?? '')
}
