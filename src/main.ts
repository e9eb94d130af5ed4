import { execFile } from 'node:child_process'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import { config as loadDotenv } from 'dotenv'
import type { Logger } from 'pino'
import { setCommand } from './config/command.ts'
import {
  ConfigError,
  parseConfig,
  parseConformanceConfig,
  parseEncryptionKeys,
  parseManifestConfig,
  parseServiceConfig,
  type ServiceConfig,
} from './config/config.ts'
import { createLogger } from './config/logger.ts'
import { unknownVariables } from './config/variables.ts'
import type { Running } from './start/start-context.ts'
import { errorMessage } from './values/unknown-values.ts'

/*
 * Runs the command that `npm run` names, such as `start` or `doctor`. This is the only TypeScript file that uses
 * `process`. Each command imports what it needs when it runs, because loading everything takes most of a second.
 */

const USAGE = `Usage:
  npm run setup                           connect Backhalf to Slack, step by step
  npm start                               run the app and everything that it needs
  npm run service                         run only the link service
  npm run doctor                          check your setup, and see how to fix what is wrong
  npm run admin -- help                   manage the link service’s organizations, keys and domains
  npm run manifest -- --url https://HOST  print the manifest that describes the app to Slack
  npm run manifest -- --socket            print it for Socket Mode
  npm run conformance -- --help           check a link service against the specification
`

// EX_CONFIG in sysexits.h. After this exit code, systemd doesn't restart Backhalf (deploy/backhalf.service).
const INVALID_SETTINGS_EXIT_CODE = 78

const COMMANDS = new Map<string, (rest: string[]) => Promise<number>>([
  ['start', startApp],
  ['service', startServiceAlone],
  ['admin', runAdminCommand],
  ['doctor', checkSetup],
  ['setup', runSetupCommand],
  ['manifest', printManifest],
  ['conformance', checkConformance],
])

const COMMANDS_WITH_HELP = new Set(['admin', 'doctor', 'setup', 'conformance'])

const { parsed: dotenv = {}, error: dotenvError } = loadDotenv({ quiet: true })
const out = (text: string): boolean => process.stdout.write(text)
const err = (text: string): boolean => process.stderr.write(text)
const [command = 'start', ...args] = process.argv.slice(2)
// The doctor's own report lists unknown settings.
const unknownSettings = command === 'doctor' ? [] : unknownVariables(Object.keys(dotenv))
for (const name of unknownSettings) {
  err(`.env: ${name} is not a setting. docs/configuration.md lists all settings.\n`)
}
process.exitCode = await main(command, args).catch((error: unknown) => {
  err(`${errorMessage(error)}\n`)
  return error instanceof ConfigError ? INVALID_SETTINGS_EXIT_CODE : 1
})

// Returns the exit code, which is 0 once a server runs, because the server keeps the process alive.
async function main(name: string, rest: string[]): Promise<number> {
  // A .env file that exists but can't be read is an error. Without its settings, the playground would open.
  if (dotenvError && dotenvError.code !== 'ENOENT') {
    throw new ConfigError([
      `.env: can’t be read (${dotenvError.code}); let the user who runs Backhalf read it`,
    ])
  }
  const run = COMMANDS.get(name)
  const wantsHelp = [name, ...rest].some((word) => word === '--help' || word === '-h')
  if (wantsHelp && !COMMANDS_WITH_HELP.has(name)) {
    out(USAGE)
    return 0
  }
  if (run) return run(rest)
  err(USAGE)
  return 2
}

async function startApp(): Promise<number> {
  const config = parseConfig(process.env, process.stdout.isTTY)
  return serve(config, async (logger) => {
    const { start } = await import('./start.ts')
    const running = await start(config, logger)
    return { stop: running.stop, message: startMessage(running, config.command) }
  })
}

function startMessage(running: Running, slashCommand: string): string {
  const { playgroundUrl, installUrl, appUrl, waitingForSlack } = running
  if (playgroundUrl) {
    return `Backhalf is running. Try it in a simulated Slack workspace in your browser:\n\n    ${playgroundUrl}\n\nType ${slashCommand} https://example.com/some/long/page there.`
  }
  const state = waitingForSlack
    ? ', but can’t answer Slack yet. The log says why. It keeps trying.'
    : ' and answers Slack.'
  const installation = installUrl ? `\nWorkspaces install it at ${installUrl}` : ''
  return `Backhalf is running at ${appUrl}${state}${installation}`
}

async function startServiceAlone(): Promise<number> {
  const config = parseServiceConfig(process.env, process.stdout.isTTY)
  return serve(config, async (logger) => {
    const { startService } = await import('./service/start-service.ts')
    const service = await startService(config, logger)
    return {
      stop: (delayMs) => service.stop(delayMs),
      message: `The link service is running at ${service.url}`,
    }
  })
}

/**
 * Starts a server, and stops it when the process gets a signal. The server finishes the requests in flight, but a second
 * signal ends the process at once. SIGTERM gives load balancers time to notice the stop. SIGINT (Ctrl-C) doesn't, because
 * a user is waiting. During the start, a signal ends the process at once. Even this needs a listener in a container,
 * because its process 1 ignores signals without one.
 */
async function serve(
  { log, shutdownDelayMs }: ServiceConfig,
  start: (logger: Logger) => Promise<{ stop: (delayMs: number) => Promise<void>; message: string }>,
): Promise<number> {
  let stop = async (_delayMs: number): Promise<void> => {}
  // Without the exit, a connection to a database that no longer responds would keep the process alive.
  const end = (delayMs: number): void => void stop(delayMs).then(() => process.exit())
  process.once('SIGINT', () => end(0))
  process.once('SIGTERM', () => end(shutdownDelayMs))
  const logger = createLogger(log)
  const running = await start(logger)
  stop = running.stop
  if (log.format === 'pretty') out(`\n${running.message}\n\n`)
  else logger.info(running.message.replaceAll(/\s+/g, ' '))
  // Node.js has no Unix datagram sockets, so systemd-notify sends the message (Type=notify).
  if (process.env.NOTIFY_SOCKET) {
    execFile('systemd-notify', ['--ready'], (error) => {
      if (error) logger.error({ err: error }, 'systemd still waits, because systemd-notify failed')
    })
  }
  setImmediate(flushCompileCache) // Node.js writes the cache when a process exits, but a server might be killed.
  return 0
}

async function runAdminCommand(rest: string[]): Promise<number> {
  const { databaseUrl, servicePublicUrl: publicUrl } = parseServiceConfig(process.env)
  const { runAdmin } = await import('./service/admin/run-admin.ts')
  return runAdmin(rest, {
    databaseUrl,
    publicUrl,
    out,
    err,
    lines: () => createInterface({ input: process.stdin }),
    async checkEncrypted(db, path) {
      const { checkEncrypted } = await import('./workspaces/encrypted-data.ts')
      return checkEncrypted(db, { path, configured: parseEncryptionKeys(process.env) })
    },
  })
}

async function checkSetup(rest: string[]): Promise<number> {
  const { runDoctor } = await import('./doctor/run-doctor.ts')
  return runDoctor(rest, {
    env: process.env,
    dotenv: { path: '.env', names: Object.keys(dotenv) },
    colors: process.stdout.isTTY && process.stdout.hasColors(),
    out,
    err,
  })
}

async function runSetupCommand(rest: string[]): Promise<number> {
  const { runSetup } = await import('./setup/run-setup.ts')
  const stopped = new AbortController()
  // SIGINT: Ctrl-C while an answer is checked. beforeExit: Ctrl-D, after which there is no more input to wait for.
  process.once('SIGINT', () => stopped.abort())
  process.once('beforeExit', () => stopped.abort())
  return runSetup(rest, {
    input: process.stdin,
    output: process.stdout,
    signal: stopped.signal,
    isTerminal: process.stdin.isTTY,
    directory: process.cwd(),
    // The variables of the environment that don't come from .env.
    environment: Object.fromEntries(
      Object.entries(process.env).filter(([key, value]) => dotenv[key] !== value),
    ),
  })
}

async function printManifest(rest: string[]): Promise<number> {
  const options = rest.join(' ')
  const [, url = ''] = /^--url[= ](https:\/\/\S+)$/.exec(options) ?? []
  if (options !== '--socket' && !URL.canParse(url)) {
    err('Set --url https://… (Slack calls only https addresses) or --socket, and nothing else.\n')
    return 2
  }
  const config = parseManifestConfig(process.env)
  setCommand(config.command)
  const { manifestText } = await import('./slack/install/manifest.ts')
  const target = options === '--socket' ? 'socket' : { url, hasMcp: config.slackMcp }
  out(manifestText(target, config.unfurlDomains, config.publicUrl))
  return 0
}

async function checkConformance(rest: string[]): Promise<number> {
  const { apiKey } = parseConformanceConfig(process.env)
  const { runConformance } = await import('./conformance/run-conformance.ts')
  const ask = async (message: string): Promise<boolean> => {
    const { confirm } = await import('@inquirer/prompts')
    // The question goes to standard error, because standard output contains only the result.
    return confirm({ message, default: false }, { output: process.stderr })
  }
  return runConformance(rest, {
    apiKey,
    confirm: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
    out,
    err,
  })
}
