import { parseArgs } from 'node:util'
import { cluster, FAULTS } from './cluster.ts'
import { eventLoop } from './event-loop.ts'
import { fuzz } from './fuzz.ts'
import { kill } from './kill.ts'
import { restartPostgres } from './restart-postgres.ts'
import { formatReport, type Report } from './report.ts'
import { strangers } from './strangers.ts'
import { upgrade } from './upgrade.ts'

interface Command {
  description: string
  /** The parameters and their defaults. */
  options: Record<string, number>
  /** Whether one of its faults can be chosen: `--only NAME`. */
  hasOnly?: true
  run(options: Record<string, number>, only?: string): Promise<Report>
}

const COMMANDS: Record<string, Command> = {
  kill: {
    description:
      'kill -9 of service and app in turn while links are created, changed and deleted, on SQLite and PostgreSQL',
    options: { rounds: 200 },
    run: ({ rounds = 0 }) => kill(rounds),
  },
  'restart-postgres': {
    description: 'restarts PostgreSQL while links are created and opened',
    options: { rounds: 20 },
    run: ({ rounds = 0 }) => restartPostgres(rounds),
  },
  cluster: {
    description: `PostgreSQL under Patroni, etcd and HAProxy, with faults under load: ${Object.keys(FAULTS).join(', ')}`,
    options: {},
    hasOnly: true,
    run: (_, only) => cluster(only),
  },
  fuzz: {
    description: 'random requests to every address of the service and the app',
    options: { requests: 10_000, seed: 1 },
    run: ({ requests = 0, seed = 0 }) => fuzz(requests, seed),
  },
  'event-loop': {
    description: 'the longest delay of the service’s event loop with many links',
    options: { links: 1_000_000, seconds: 10 },
    run: ({ links = 0, seconds = 0 }) => eventLoop(links, seconds),
  },
  upgrade: {
    description: 'upgrades databases of 1.0.0 with many links while clients use the service',
    options: { links: 1_000_000 },
    run: ({ links = 0 }) => upgrade(links),
  },
  strangers: {
    description:
      'all attacks with unfinished requests at once, in a control group with a memory limit',
    options: { megabytes: 384, seconds: 60 },
    run: ({ megabytes = 0, seconds = 0 }) => strangers(megabytes, seconds),
  },
}

const USAGE = `Shows that Backhalf keeps its promises (docs/reliability.md). The exit code is 1 if it does not.

${Object.entries(COMMANDS)
  .map(([name, { description, options, hasOnly }]) => {
    const parameters = Object.entries(options).map(([key, value]) => ` --${key} ${value}`)
    if (hasOnly) parameters.push(' --only FAULT')
    return `  npm run reliability -- ${name}${parameters.join('')}\n      ${description}\n`
  })
  .join('')}`

process.exitCode = await main(process.argv.slice(2))

async function main([name = '', ...args]: string[]): Promise<number> {
  const command = COMMANDS[name]
  if (!command) {
    process.stdout.write(USAGE)
    return name === '' || name === '--help' ? 0 : 2
  }
  const names = [...Object.keys(command.options), ...(command.hasOnly ? ['only'] : [])]
  const { values } = parseArgs({
    args,
    options: Object.fromEntries(names.map((key) => [key, { type: 'string' as const }])),
  })
  const { only, ...numbers } = values
  const given = Object.entries(numbers).map(([key, value]) => [key, Number(value)] as const)
  const report = await command.run({ ...command.options, ...Object.fromEntries(given) }, only)
  process.stdout.write(formatReport(report))
  return report.some(({ allowed = Infinity, value }) => value > allowed) ? 1 : 0
}
