import { openDatabase } from '../../database/database.ts'
import { createAddresses } from '../store/addresses.ts'
import { readPublicHosts } from '../store/public-hosts.ts'
import {
  backupCommand,
  restoreCommand,
  type CheckEncrypted,
  type DatabaseCommand,
} from './backup-commands.ts'
import { AdminError, formatReport, type AdminCommand, type Report } from './command.ts'
import { addDomainCommand, listDomainsCommand, removeDomainCommand } from './domain-commands.ts'
import {
  createKeyCommand,
  listKeysCommand,
  revokeKeyCommand,
  rotateKeyCommand,
} from './key-commands.ts'
import { migrateDatabaseCommand } from './migrate-database-command.ts'
import { addOwnerCommand, listOwnersCommand, setQuotaCommand } from './owner-commands.ts'
import { signInLinkCommand, signInPasswordCommand } from './sign-in-commands.ts'

const DATABASE_COMMANDS = new Map<string, DatabaseCommand>([
  ['backup', backupCommand],
  ['restore', restoreCommand],
  ['migrate-database', migrateDatabaseCommand],
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

const HELP = `Manages the link service. Usage: npm run admin -- COMMAND

  orgs add NAME               add an organization; its keys can access its links and domain records
  accounts add NAME           add a personal account
  orgs list, accounts list
  orgs quota ORG --links N    set how many links it may have: a number, or none for no limit
  accounts quota ACCOUNT --links N

  domains add HOSTNAME        add a domain record; shared by everyone unless you set --org or --account
    --id ID                   its ID, which requests send as the domain; the hostname by default
    --org ORG, --account ACCOUNT
  domains list
  domains remove ID           remove a domain record that never had a link

  keys create                 create an API key, which is shown once
    --org ORG                 its owner (type Organization); optional if there is only one organization
    --account ACCOUNT         or a personal account as its owner (type Self)
    --name TEXT, --description TEXT
    --permissions all|read-only|restricted      default: all
    --scope SCOPE             what a restricted key may do: shortlinks:read, shortlinks:create,
                              shortlinks:update or shortlinks:delete; repeatable
    --domain ID               limit a restricted key to this domain record; repeatable
    --expires TIME            when it expires: 90d, 2027-12-31, 2027-12-31T18:00Z
    --rate N                  requests a minute; default: 600
  keys list
  keys rotate ID              create a new key and revoke the old one
  keys revoke ID              revoke a key

  sign-in link                get a link that signs you in to the dashboard, once
  sign-in password            set a new password for the dashboard, which is shown once

  backup FILE                 copy the whole SQLite database; the service may be running
  restore FILE                restore a backup; the service must be stopped
  migrate-database FROM [TO]  copy a SQLite database (file:PATH) to an empty PostgreSQL database, and compare
                              them; Backhalf must be stopped. By default, TO is DATABASE_URL, so that the list
                              of processes does not show its password

ORG and ACCOUNT are an ID or a name. With --json, a command prints its result as JSON.
`

/**
 * Runs an admin command.
 *
 * @param argv for example `['keys', 'create', '--name', 'website']`
 * @param io.out prints results; `io.err` prints errors, by default with `out`
 * @returns the exit code: 0, 1 if the command failed, 2 if there is no such command
 * @throws if the database can't be opened
 */
export async function runAdmin(
  argv: string[],
  io: {
    databaseUrl: string
    publicUrl: string
    out: (text: string) => unknown
    err?: (text: string) => unknown
    now?: () => number
    checkEncrypted?: CheckEncrypted
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
  const run = findCommand(args, { ...io, err })
  if (!run) {
    // An address may hold a password.
    const typed = [group, action].filter((word) => !word.includes('://')).join(' ')
    err(`There is no command “${typed.trim()}”.\n\n${HELP}`)
    return 2
  }
  try {
    const report = await run()
    out(json ? `${JSON.stringify(report.data, null, 2)}\n` : formatReport(report))
    return report.failed ? 1 : 0
  } catch (error) {
    if (!(error instanceof AdminError)) throw error
    err(`${error.message}\n`)
    return 1
  }
}

/** Finds a command. It opens the database only if it works on what the database contains. */
function findCommand(
  [group = '', action = '', ...rest]: string[],
  {
    databaseUrl,
    publicUrl,
    err,
    now = Date.now,
    checkEncrypted,
  }: {
    databaseUrl: string
    publicUrl: string
    err: (text: string) => unknown
    now?: () => number
    checkEncrypted?: CheckEncrypted | undefined
  },
): (() => Promise<Report>) | undefined {
  const databaseCommand = DATABASE_COMMANDS.get(group)
  if (databaseCommand) {
    const context = { databaseUrl, now, progress: err, checkEncrypted }
    return () => databaseCommand(action ? [action, ...rest] : [], context)
  }
  const command = COMMANDS[`${group} ${action}`]
  if (!command) return undefined
  return async () => {
    const database = await openDatabase(databaseUrl)
    try {
      const { host } = new URL(publicUrl)
      const earlier = (await readPublicHosts(database.db)).filter((one) => one !== host)
      return await command(rest, {
        ...database,
        addresses: createAddresses(publicUrl, earlier),
        now,
      })
    } finally {
      await database.close()
    }
  }
}
