import { openDatabase } from '../../database/database.ts'
import { createAddresses } from '../addresses.ts'
import type { AdminCommand } from './admin-command.ts'
import { AdminError } from './admin-error.ts'
import { backupCommand, restoreCommand, type DatabaseCommand } from './backup-commands.ts'
import { addDomainCommand, listDomainsCommand, removeDomainCommand } from './domain-commands.ts'
import {
  createKeyCommand,
  listKeysCommand,
  revokeKeyCommand,
  rotateKeyCommand,
} from './key-commands.ts'
import { addOwnerCommand, listOwnersCommand, setQuotaCommand } from './owner-commands.ts'
import { textOf, type Report } from './report.ts'
import { signInLinkCommand, signInPasswordCommand } from './sign-in-commands.ts'

const DATABASE_COMMANDS = new Map<string, DatabaseCommand>([
  ['backup', backupCommand],
  ['restore', restoreCommand],
])

const COMMANDS: Record<string, AdminCommand> = {
  'domains add': addDomainCommand,
  'domains list': listDomainsCommand,
  'domains remove': removeDomainCommand,
  'orgs add': addOwnerCommand('organization'),
  'orgs list': listOwnersCommand('organization'),
  'orgs quota': setQuotaCommand('organization'),
  'accounts add': addOwnerCommand('account'),
  'accounts list': listOwnersCommand('account'),
  'accounts quota': setQuotaCommand('account'),
  'sign-in link': signInLinkCommand,
  'sign-in password': signInPasswordCommand,
  'keys create': createKeyCommand,
  'keys list': listKeysCommand,
  'keys rotate': rotateKeyCommand,
  'keys revoke': revokeKeyCommand,
}

const HELP = `Administers the link service. Usage: npm run admin -- COMMAND

  orgs add NAME               an organization; its keys reach its links and domain records
  accounts add NAME           a personal account
  orgs list, accounts list
  orgs quota ORG --links N    how many links it may have; N is a number, or none for no limit
  accounts quota ACCOUNT --links N

  domains add HOSTNAME        a domain record; everybody may use it, unless you say --org or --account
    --id ID                   as requests give it, where it is called name; the hostname unless you say
    --org ORG, --account ACCOUNT
  domains list
  domains remove ID           one that no link is on

  keys create                 an API key, shown once
    --org ORG                 whose it is (type Organization); may be left out where there is only one
    --account ACCOUNT         … or a personal account's (type Self)
    --name TEXT, --description TEXT
    --permissions all|read-only|restricted      all unless you say
    --scope shortlinks:read|shortlinks:create   what a restricted key may do; repeatable
    --domain ID               a domain record that a restricted key is limited to; repeatable
    --expires TIME            when it ends by itself: 90d, 2027-12-31, 2027-12-31T18:00Z
    --rate N                  requests a minute; 600 unless you say
  keys list
  keys rotate ID              a new key; the old one ends at once
  keys revoke ID              ends a key at once

  sign-in link                a link that signs you in to the dashboard, once
  sign-in password            a new password for the dashboard, shown once

  backup FILE                 a copy of the whole SQLite database, while the service runs
  restore FILE                puts a backup in its place, while it is stopped

ORG and ACCOUNT are an ID or a name. Every command takes --json.
`

/**
 * Carries out one administration command.
 *
 * @param argv for example `['keys', 'create', '--name', 'website']`
 * @param io.out takes what the command has to say; `io.err` its complaints, else `out` does
 * @returns the exit code: 0, 1 for a command that failed, 2 for one that is not understood
 * @throws when the database can't be opened
 */
export async function runAdmin(
  argv: string[],
  io: {
    databaseUrl: string
    publicUrl: string
    out: (text: string) => unknown
    err?: (text: string) => unknown
    now?: () => number
  },
): Promise<number> {
  const { out, err = out } = io
  const [group = 'help', action = ''] = argv
  if (group === 'help' || argv.includes('--help') || argv.includes('-h')) {
    out(HELP)
    return 0
  }
  const json = argv.includes('--json')
  const args = argv.filter((arg) => arg !== '--json')
  const run = commandOf(args, io)
  if (!run) {
    err(`There is no command “${[group, action].join(' ').trim()}”.\n\n${HELP}`)
    return 2
  }
  try {
    const report = await run()
    out(json ? `${JSON.stringify(report.data, null, 2)}\n` : textOf(report))
    return 0
  } catch (error) {
    if (!(error instanceof AdminError)) throw error
    err(`${error.message}\n`)
    return 1
  }
}

/** What a command line asks for; the database is opened only for what works inside it. */
function commandOf(
  [group = '', action = '', ...rest]: string[],
  {
    databaseUrl,
    publicUrl,
    now = Date.now,
  }: { databaseUrl: string; publicUrl: string; now?: () => number },
): (() => Promise<Report>) | undefined {
  const whole = DATABASE_COMMANDS.get(group)
  if (whole) return () => whole(action ? [action, ...rest] : [], { databaseUrl, now })
  const command = COMMANDS[`${group} ${action}`]
  if (!command) return undefined
  return async () => {
    const database = await openDatabase(databaseUrl)
    try {
      return await command(rest, { database, addresses: createAddresses(publicUrl), now })
    } finally {
      await database.close()
    }
  }
}
