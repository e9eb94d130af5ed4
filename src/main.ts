import { config as loadDotenv } from 'dotenv'
import { parseConfig, parseManifestConfig, parseServiceConfig } from './config.ts'
import { unknownNames } from './environment.ts'
import { createLogger } from './logger.ts'
import { manifestText } from './slack/install/manifest.ts'
import { runAdmin } from './service/admin/run-admin.ts'
import { start, startService } from './start.ts'

const USAGE = `Usage:
  npm start                               the app, and what it needs
  npm run service                         the link service alone
  npm run admin -- help                   domains, keys and organizations of the link service
  npm run manifest -- --url https://HOST  Slack's description of the app, for this address
  npm run manifest -- --socket            … for Socket Mode
`

const { parsed: dotenv = {} } = loadDotenv({ quiet: true })
for (const name of unknownNames(Object.keys(dotenv)))
  process.stderr.write(`.env: ${name} is none of the settings that README.md lists.\n`)
const surroundings = { isTerminal: process.stdout.isTTY }
const [command = 'start', ...args] = process.argv.slice(2)
process.exitCode = await main(command, args).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 1
})

/** @returns the exit code; what was started keeps the process alive after it */
async function main(name: string, rest: string[]): Promise<number> {
  switch (name) {
    case 'start':
      return startApp()
    case 'service':
      return startServiceAlone()
    case 'admin':
      return admin(rest)
    case 'manifest':
      return printManifest(rest)
    default:
      process.stderr.write(USAGE)
      return 2
  }
}

async function startApp(): Promise<number> {
  const config = parseConfig(process.env, surroundings)
  const { playgroundUrl, installUrl, appUrl, stop } = await start(config, createLogger(config.log))
  stopOnSignal(stop)
  const installing = installUrl ? `Workspaces install it at ${installUrl}\n` : ''
  process.stdout.write(
    playgroundUrl
      ? `\nBackhalf runs. Try it in a local workspace, in your browser:\n\n    ${playgroundUrl}\n\nType there: /shorten https://example.com/some/long/page\n\n`
      : `\nBackhalf runs at ${appUrl} and answers Slack.\n${installing}\n`,
  )
  return 0
}

async function startServiceAlone(): Promise<number> {
  const config = parseServiceConfig(process.env, surroundings)
  const { serviceUrl, stop } = await startService(config, createLogger(config.log))
  stopOnSignal(stop)
  process.stdout.write(`\nThe link service runs at ${serviceUrl}\n\n`)
  return 0
}

/** The first signal finishes what is under way; a second one ends the process at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop())
  }
}

async function admin(rest: string[]): Promise<number> {
  const { databaseUrl, servicePublicUrl: publicUrl } = parseServiceConfig(process.env, surroundings)
  return runAdmin(rest, {
    databaseUrl,
    publicUrl,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  })
}

function printManifest(rest: string[]): number {
  const asked = rest.join(' ')
  const [, url = ''] = /^--url[= ](https:\/\/\S+)$/.exec(asked) ?? []
  if (asked !== '--socket' && !URL.canParse(url)) {
    process.stderr.write('Give either --url https://… (Slack calls https only) or --socket.\n')
    return 2
  }
  const { unfurlDomains, publicUrl } = parseManifestConfig(process.env)
  const target = asked === '--socket' ? 'socket' : { url }
  process.stdout.write(manifestText(target, unfurlDomains, publicUrl))
  return 0
}
