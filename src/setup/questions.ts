import { randomBytes } from 'node:crypto'
import { DEFAULT_COMMAND } from '../config/command.ts'
import { checkPublicAddress } from '../doctor/address-checks.ts'
import { runCheck } from '../doctor/check.ts'
import { checkDatabaseAt } from '../doctor/database-checks.ts'
import { checkServiceAddress } from '../doctor/service-checks.ts'
import { DRIVERS } from '../drivers/drivers.ts'
import { SERVICE_KINDS } from '../port/link-service.ts'
import { isLoopbackHostname } from '../http/public-hostname.ts'
import { localAddress, effectiveValues, type Port, type Progress, type Step } from './ask.ts'

export const CONNECTION: readonly Step[] = [
  {
    choose: 'mode',
    message: 'How should Slack reach Backhalf?',
    choices: [
      {
        value: 'socket',
        name: 'Socket Mode (recommended)',
        short: 'Socket Mode',
        description:
          'Backhalf connects to Slack. This needs no public address, and works on a laptop and behind a firewall.',
      },
      {
        value: 'http',
        name: 'HTTP',
        description:
          'Slack calls Backhalf. You need a public https address that leads to this machine.',
      },
    ],
    preset: ({ SLACK_APP_TOKEN: token, SLACK_SIGNING_SECRET: secret }) =>
      !token && secret ? 'http' : 'socket',
  },
  {
    choose: 'workspaces',
    message: 'Who will use it?',
    choices: [
      {
        value: 'one',
        name: 'One Slack workspace',
        description: 'You install the app in your workspace and copy its token here.',
      },
      {
        value: 'many',
        name: 'Several workspaces, or an Enterprise Grid organization',
        description:
          'Each workspace installs the app itself, on a page of Backhalf (OAuth). The page needs a public https address, even with Socket Mode.',
      },
    ],
    preset: ({ SLACK_CLIENT_ID: id }) => (id ? 'many' : 'one'),
  },
  {
    when: ({ chosen }) => chosen.mode === 'http' || chosen.workspaces === 'many',
    respondsAt: 'PORT',
    say: (progress) =>
      `${progress.chosen.mode === 'http' ? 'Slack calls Backhalf' : 'People install the app'} at a public https address, such as
https://links.example.com. It must lead to ${shownAddress(progress, 'PORT')} on this machine, for
example through a proxy such as Caddy. Until Backhalf runs,
this setup responds there, so that it can check the address.`,
    questions: [
      {
        setting: 'PUBLIC_URL',
        message: 'Backhalf’s public address:',
        problem: (text) =>
          URL.parse(text)?.protocol === 'https:'
            ? undefined
            : 'It must start with https://, because Slack and browsers require it.',
      },
    ],
    what: 'the address',
    canBeKept: true,
    check: ({ PUBLIC_URL: url = '' }, progress) => checkAddress(url, progress, 'PORT'),
  },
]

export const LINKS_AND_DATA: readonly Step[] = [
  {
    choose: 'service',
    message: 'Which link service should create the short links?',
    choices: [
      {
        value: 'own',
        name: 'The one that comes with Backhalf (recommended)',
        short: 'The one that comes with Backhalf',
        description: 'It runs together with the app and needs no account anywhere.',
      },
      {
        value: 'other',
        name: 'Another one',
        description:
          'Kutt, Shlink, Dub, YOURLS, or one with Backhalf’s interface. You need one of its API keys.',
      },
    ],
    preset: ({ SHORTLINK_BASE_URL: url }) => (url ? 'other' : 'own'),
    implies({ chosen, earlier }) {
      if (chosen.service !== 'own' || !earlier.SHORTLINK_BASE_URL) return {}
      // The key and the domains of another service don't work with our own.
      return {
        LINK_SERVICE_KIND: undefined,
        SHORTLINK_BASE_URL: undefined,
        SHORTLINK_API_KEY: undefined,
        SHORTLINK_DOMAIN: undefined,
        UNFURL_DOMAINS: undefined,
      }
    },
  },
  {
    when: ({ chosen }) => chosen.service === 'own',
    choose: 'place',
    message: 'Where should the short links work?',
    choices: (progress) => [
      {
        value: 'here',
        name: 'Only on this machine, to try it out for now',
        description: `They look like http://localhost:${localAddress(progress, 'SERVICE_PORT').port}/spring. No one else can open them, and Slack shows no cards and no preview images for them. To change this later, run this setup again.`,
      },
      {
        value: 'everywhere',
        name: 'Everywhere',
        description:
          'They look like https://go.example.com/spring. You need a hostname that leads to this machine.',
      },
    ],
    preset: ({ SERVICE_PUBLIC_URL: url }) => (isPublic(url) ? 'everywhere' : 'here'),
    implies: ({ chosen, earlier }) =>
      chosen.place === 'here' && isPublic(earlier.SERVICE_PUBLIC_URL)
        ? { SERVICE_PUBLIC_URL: undefined }
        : {},
  },
  {
    when: ({ chosen }) => chosen.place === 'everywhere',
    respondsAt: 'SERVICE_PORT',
    say: (progress) =>
      `The short links start with a public address, such as https://go.example.com. It
must lead to ${shownAddress(progress, 'SERVICE_PORT')} on this machine, for example through a proxy such
as Caddy. Choose it well: if you give it up later, the links that people have
shared stop working.`,
    questions: [
      {
        setting: 'SERVICE_PUBLIC_URL',
        message: 'The short links’ address:',
        preset: ({ SERVICE_PUBLIC_URL: url }) => (isPublic(url) ? url : undefined),
        problem: (text) =>
          isPublic(text) ? undefined : 'This address works only on this machine.',
      },
    ],
    what: 'the address',
    canBeKept: true,
    check: ({ SERVICE_PUBLIC_URL: url = '' }, progress) =>
      checkAddress(url, progress, 'SERVICE_PORT'),
  },
  {
    when: ({ chosen }) => chosen.service === 'other',
    choose: 'kind',
    message: 'Which one?',
    choices: SERVICE_KINDS.map((value) => ({
      value,
      name: value === 'backhalf' ? 'Backhalf’s interface' : DRIVERS[value].label,
      description:
        value === 'backhalf'
          ? 'The service follows docs/link-service.md.'
          : 'docs/link-services.md says what Backhalf can do with it.',
    })),
    preset: ({ LINK_SERVICE_KIND: kind }) =>
      SERVICE_KINDS.find((one) => one === kind) ?? 'backhalf',
    implies: ({ chosen: { kind } }) => ({
      LINK_SERVICE_KIND: kind === 'backhalf' ? undefined : kind,
    }),
  },
  {
    when: ({ chosen }) => chosen.service === 'other',
    say: ({ chosen }) =>
      chosen.kind === 'backhalf'
        ? 'Enter the service’s address, to which the API’s paths (/api/v1/…) are appended.'
        : `Enter the root of its site${chosen.kind === 'dub' ? ': https://api.dub.co' : ', such as https://go.example.com'}.`,
    questions: [{ setting: 'SHORTLINK_BASE_URL', message: 'The service’s address:' }],
    what: 'the service',
    canBeKept: true,
    check: ({ SHORTLINK_BASE_URL: url = '' }, { signal, chosen }) =>
      checkServiceAddress(chosen.kind ?? 'backhalf', url, signal),
  },
  {
    when: ({ chosen }) => chosen.service === 'other',
    say: `You enter the service’s API key later, in Slack.

Slack can show a card below each short link that is posted. For this, it must
know the hostnames of the short links.`,
    questions: [
      {
        setting: 'UNFURL_DOMAINS',
        message: 'The short links’ hostnames, separated by commas (empty: no cards):',
        canBeEmpty: true,
      },
    ],
  },
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
]

export const OPERATOR: readonly Step[] = [
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

export const SLASH_COMMAND: readonly Step[] = [
  {
    when: (progress) => effectiveValues(progress).SLACK_COMMAND === undefined,
    choose: 'command',
    message: `Does another app in your workspace use ${DEFAULT_COMMAND}?`,
    choices: [
      { value: 'default', name: 'No' },
      {
        value: 'other',
        name: 'Yes',
        description:
          'You choose another command for Backhalf. If two apps have the same one, Slack uses the app that was installed last.',
      },
    ],
    preset: () => 'default',
  },
  {
    when: ({ chosen }) => chosen.command === 'other',
    questions: [
      { setting: 'SLACK_COMMAND', message: 'Backhalf’s command:', preset: () => '/short' },
    ],
  },
]

const SYSTEMD_DATABASE = 'file:/var/lib/backhalf/backhalf.db'

/** Without it, all visitors seem to come from the proxy. */
const LOCAL_PROXY = '127.0.0.1'

function shownAddress(progress: Progress, name: Port): string {
  const { host, port } = localAddress(progress, name)
  return `${host}:${port}`
}

function checkAddress(url: string, progress: Progress, port: Port) {
  const { signal } = progress
  const localAddress = shownAddress(progress, port)
  return checkPublicAddress(url, { localAddress, isRunning: true, signal })
}

function isPublic(url: string | undefined): boolean {
  const hostname = URL.parse(url ?? '')?.hostname
  return hostname !== undefined && !isLoopbackHostname(hostname)
}

function isPostgres(url: string | undefined): boolean {
  return /^postgres(ql)?:\/\//.test(url ?? '')
}
