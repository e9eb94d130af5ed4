import { openDatabase } from '../../database/database.ts'
import { CopyError } from '../../database/errors.ts'
import type { Threads } from '../../database/sqlite-thread.ts'
import { createAddresses, readPublicHosts } from '../store/addresses.ts'
import { ACCESS_COMMANDS } from './access-commands.ts'
import { AdminError, type CommandContext, formatHelp, formatReport, parseInput } from './command.ts'
import { DATABASE_COMMANDS } from './database-commands.ts'
import { DOMAIN_COMMANDS } from './domain-commands.ts'
import { DATA_COMMANDS, ownerCommands } from './owner-commands.ts'

const COMMANDS = new Map(
  Object.entries({
    ...ownerCommands('organization'),
    ...ownerCommands('account'),
    ...DOMAIN_COMMANDS,
    ...ACCESS_COMMANDS,
    ...DATA_COMMANDS,
  }),
)

const HELP = `Manages the link service. Usage: npm run admin -- COMMAND
${formatHelp({ ...Object.fromEntries(COMMANDS), ...DATABASE_COMMANDS })}

ORG and ACCOUNT are an ID or a name. With --json, a command prints its result as JSON.
`

interface AdminOptions extends Partial<CommandContext> {
  databaseUrl: string
  out: CommandContext['out']
  publicUrl: string
  threads?: Threads
}

/** Runs a command of `npm run admin`. @returns the exit code: 0, 1 if the command failed, or 2 if it is unknown */
export async function runAdmin(argv: string[], options: AdminOptions): Promise<number> {
  const { out, err = out } = options
  const [group = 'help', action = ''] = argv
  if (group === 'help' || argv.includes('--help') || argv.includes('-h')) {
    out(HELP)
    return 0
  }
  const words = argv.filter((arg) => arg !== '--json')
  const run = findCommand(words, options)
  if (!run) {
    // The error shows no URL, because a URL can contain a password.
    const command = [group, action].filter((word) => !word.includes('://')).join(' ')
    err(`There is no command “${command.trim()}”.\n\n${HELP}`)
    return 2
  }
  try {
    const report = await run()
    const isJson = argv.includes('--json')
    const print = report.printsOnStderr ? err : out
    print(isJson ? `${JSON.stringify(report.data, null, 2)}\n` : formatReport(report))
    return 0
  } catch (error) {
    if (!(error instanceof AdminError || error instanceof CopyError)) throw error
    err(`${error.message}\n`)
    return 1
  }
}

function findCommand([group = '', ...words]: string[], options: AdminOptions) {
  const { publicUrl, out, err = out, now = Date.now, lines = async function* () {} } = options
  const io = { ...options, now, lines, err }
  if (Object.hasOwn(DATABASE_COMMANDS, group)) {
    const command = DATABASE_COMMANDS[group]
    return command && (async () => command.run(parseInput(command, words), io))
  }
  const groupedCommand = COMMANDS.get(`${group} ${words[0] ?? ''}`)
  const command = groupedCommand ?? COMMANDS.get(group)
  if (!command) return undefined
  return async () => {
    const input = parseInput(command, groupedCommand ? words.slice(1) : words)
    await using database = await openDatabase(options.databaseUrl, { threads: options.threads })
    const { host } = new URL(publicUrl)
    const publicHosts = await readPublicHosts(database.db)
    const earlierHosts = publicHosts.filter((publicHost) => publicHost !== host)
    const addresses = createAddresses(publicUrl, earlierHosts)
    return await command.run(input, { ...database, ...io, addresses })
  }
}
