import { flushCompileCache } from 'node:module'
import { config as loadDotenv } from 'dotenv'
import {
  parseConfig,
  parseConformanceConfig,
  parseEncryptionKeys,
  parseManifestConfig,
  parseServiceConfig,
} from './config/config.ts'
import { createLogger } from './config/logger.ts'
import { unknownVariables } from './config/variables.ts'

/*
 * The command line, and the only file in TypeScript that uses `process`. Each command imports what it needs when it runs,
 * because loading everything takes most of a second.
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

/** Each returns the exit code. */
const COMMANDS = new Map<string, (rest: string[]) => Promise<number>>([
  ['start', startApp],
  ['service', startServiceAlone],
  ['admin', runAdminCommand],
  ['doctor', checkSetup],
  ['setup', runSetupCommand],
  ['manifest', printManifest],
  ['conformance', checkConformance],
])

/** These have options, and describe them. */
const WITH_HELP = new Set(['admin', 'doctor', 'setup', 'conformance'])

const { parsed: dotenv = {}, error: dotenvError } = loadDotenv({ quiet: true })
const terminal = { isTerminal: process.stdout.isTTY }
const [command = 'start', ...args] = process.argv.slice(2)
// The doctor names them in its report.
for (const name of command === 'doctor' ? [] : unknownVariables(Object.keys(dotenv))) {
  process.stderr.write(
    `.env: ${name} is not a setting. docs/configuration.md lists all settings.\n`,
  )
}
process.exitCode = await main(command, args).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 1
})

/** @returns the exit code; a started server keeps the process alive */
async function main(name: string, rest: string[]): Promise<number> {
  // Without the settings in it, the playground would open instead of the app.
  if (dotenvError && dotenvError.code !== 'ENOENT') {
    const reason = `.env can’t be read (${dotenvError.code}).`
    throw new Error(`${reason} Let the user who runs Backhalf read it.`, { cause: dotenvError })
  }
  const run = COMMANDS.get(name)
  const wantsHelp = [name, ...rest].some((word) => word === '--help' || word === '-h')
  if (wantsHelp && !WITH_HELP.has(name)) {
    process.stdout.write(USAGE)
    return 0
  }
  if (run) return run(rest)
  process.stderr.write(USAGE)
  return 2
}

async function startApp(): Promise<number> {
  const config = parseConfig(process.env, terminal)
  const started = endOnSignal()
  const { start } = await import('./start.ts')
  const running = await start(config, createLogger(config.log))
  started()
  const { playgroundUrl, installUrl, appUrl, waitingForSlack, stop } = running
  stopOnSignal(stop, config.shutdownDelayMs)
  setImmediate(flushCompileCache) // A server may be killed, so this doesn't wait for its end.
  const installation = installUrl ? `Workspaces install it at ${installUrl}\n` : ''
  process.stdout.write(
    playgroundUrl
      ? `\nBackhalf is running. Try it in a simulated Slack workspace in your browser:\n\n    ${playgroundUrl}\n\nType /shorten https://example.com/some/long/page there.\n\n`
      : `\nBackhalf is running at ${appUrl}${waitingForSlack ? '. Slack can’t be reached yet; it keeps trying.' : ' and answers Slack.'}\n${installation}\n`,
  )
  await waitingForSlack?.catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return 0
}

async function startServiceAlone(): Promise<number> {
  const config = parseServiceConfig(process.env, terminal)
  const started = endOnSignal()
  const { startService } = await import('./service/start-service.ts')
  const service = await startService(config, createLogger(config.log))
  started()
  stopOnSignal((delayMs) => service.stop(delayMs), config.shutdownDelayMs)
  setImmediate(flushCompileCache) // A server may be killed, so this doesn't wait for its end.
  process.stdout.write(`\nThe link service is running at ${service.url}\n\n`)
  return 0
}

/**
 * Ends the process at once if it gets a signal during the start, which may wait for the database. Linux does so by
 * itself, except for process 1, as in a container.
 *
 * @returns a function that stops this
 */
function endOnSignal(): () => void {
  const end = (): never => process.exit(0)
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, end)
  return () => {
    for (const signal of signals) process.off(signal, end)
  }
}

/**
 * The first signal finishes what is in flight. A second one ends the process at once. Load balancers
 * get time to notice a SIGTERM. Ctrl-C sends SIGINT, and a person does not want to wait.
 */
function stopOnSignal(stop: (delayMs: number) => Promise<void>, shutdownDelayMs: number): void {
  process.once('SIGINT', () => void stop(0))
  process.once('SIGTERM', () => void stop(shutdownDelayMs))
}

async function runAdminCommand(rest: string[]): Promise<number> {
  const { databaseUrl, servicePublicUrl: publicUrl } = parseServiceConfig(process.env, terminal)
  const { runAdmin } = await import('./service/admin/run-admin.ts')
  return runAdmin(rest, {
    databaseUrl,
    publicUrl,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
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
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  })
}

async function runSetupCommand(rest: string[]): Promise<number> {
  const { runSetup } = await import('./setup/run-setup.ts')
  const stopped = new AbortController()
  // Ctrl-C while an answer is checked, and Ctrl-D, which leaves nothing to wait for.
  process.once('SIGINT', () => stopped.abort())
  process.once('beforeExit', () => stopped.abort())
  return runSetup(rest, {
    input: process.stdin,
    output: process.stdout,
    signal: stopped.signal,
    isTerminal: process.stdin.isTTY,
    directory: process.cwd(),
    environment: Object.fromEntries(
      Object.entries(process.env).filter(([key, value]) => dotenv[key] !== value),
    ),
  })
}

async function printManifest(rest: string[]): Promise<number> {
  const options = rest.join(' ')
  const [, url = ''] = /^--url[= ](https:\/\/\S+)$/.exec(options) ?? []
  if (options !== '--socket' && !URL.canParse(url)) {
    process.stderr.write('Set --url https://… (Slack calls only https addresses) or --socket.\n')
    return 2
  }
  const { unfurlDomains, publicUrl } = parseManifestConfig(process.env)
  const { manifestText } = await import('./slack/install/manifest.ts')
  const target = options === '--socket' ? 'socket' : { url }
  process.stdout.write(manifestText(target, unfurlDomains, publicUrl))
  return 0
}

async function checkConformance(rest: string[]): Promise<number> {
  const { apiKey } = parseConformanceConfig(process.env)
  const { runConformance } = await import('./conformance/run-conformance.ts')
  const ask = async (message: string): Promise<boolean> => {
    const { confirm } = await import('@inquirer/prompts')
    // Standard output has nothing but the result.
    return confirm({ message, default: false }, { output: process.stderr })
  }
  return runConformance(rest, {
    apiKey,
    confirm: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  })
}
