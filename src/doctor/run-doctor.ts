import { styleText } from 'node:util'
import { setCommand } from '../config/command.ts'
import { ConfigError, parseConfig, type Config } from '../config/config.ts'
import { isSecret, readVariables, type Environment } from '../config/variables.ts'
import { postgresUrls } from '../database/database-url.ts'
import { openExistingDatabase } from '../database/existing-database.ts'
import { failed, MARKS, ok, printable, runCheck, skipped, withoutSecrets } from './check.ts'
import type { Finding, Result } from './check.ts'
import { checkConfiguration, type DotenvFile } from './configuration-checks.ts'
import { checkDatabase } from './database-checks.ts'
import { checkKeys, type StoredData } from './key-checks.ts'
import { checkAppAddresses, checkLinkService } from './program-checks.ts'
import { checkSlack } from './slack-group.ts'

const USAGE = `Usage: npm run doctor [-- --json]

Checks your setup: configuration, Slack’s tokens and scopes, the database, encryption keys, the link
service, public addresses and the clock. It changes nothing, and shows no secrets. Run it at any time,
even while Backhalf is running.

  --json  prints {"ok": …, "findings": […]} (npm run --silent doctor -- --json)

The exit code is 0 if all is well apart from warnings, 1 if something failed or couldn’t be checked,
and 2 for wrong options.
`

interface DoctorOptions {
  env: Environment
  dotenv: DotenvFile
  colors: boolean
  out: (text: string) => void
  err: (text: string) => void
}

interface ReportedFinding extends Finding {
  group: string
}

export async function runDoctor(args: readonly string[], options: DoctorOptions): Promise<number> {
  const { env, dotenv, colors, out, err } = options
  const option = args.join(' ')
  if (option === '--help' || option === '-h') {
    out(USAGE)
    return 0
  }
  if (option !== '' && option !== '--json') {
    err(USAGE)
    return 2
  }
  const findings = sanitize(await check(env, dotenv), secretsIn(env))
  out(option === '--json' ? jsonReport(findings) : textReport(findings, colors))
  return isHealthy(findings) ? 0 : 1
}

async function check(env: Environment, dotenv: DotenvFile): Promise<ReportedFinding[]> {
  let config: Config | undefined
  let issues: readonly string[] = []
  try {
    config = parseConfig(env)
    setCommand(config.command)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    issues = error.issues
  }
  const findings: Record<string, readonly Finding[]> = {
    Configuration: await checkConfiguration(issues, dotenv),
    ...(config && (await examine(config))),
  }
  return Object.entries(findings).flatMap(([group, ofGroup]) =>
    ofGroup.map((finding) => ({ group, ...finding })),
  )
}

async function examine(config: Config) {
  const { database, keys, stored } = await examineDatabase(config)
  const [slack, linkService, addresses, clock] = await Promise.all([
    checkSlack(config, stored),
    checkLinkService(config, stored),
    checkAppAddresses(config),
    runCheck('Clock', (signal) => checkClock(config, signal)),
  ])
  return {
    Slack: slack,
    Database: database,
    'Encryption keys': keys,
    'Link service': linkService,
    'Public address': addresses,
    Clock: clock,
  }
}

async function examineDatabase(config: Config) {
  const db = openExistingDatabase(config.databaseUrl)
  let isReadable = false
  const database = await runCheck('Database', async () => {
    const checked = await checkDatabase(config.databaseUrl, db)
    isReadable = checked.isReadable
    return checked.findings
  })
  let stored: StoredData | undefined
  const keys = await runCheck('Keys', async () => {
    const checked = await checkKeys(config, isReadable ? db : undefined)
    stored = checked.stored
    return checked.findings
  })
  // Closing fails if a check that ran out of time is still using the database.
  await db?.destroy().catch(() => undefined)
  return { database, keys, stored }
}

/** A larger difference is a failure, because the app refuses a request whose timestamp is five minutes off. */
const MAX_SKEW_MS = 60_000

async function checkClock({ slack }: Config, signal: AbortSignal): Promise<Result[]> {
  if (slack.mode === 'playground') {
    return [skipped('In the playground, it is not compared with Slack’s.')]
  }
  const request = { method: 'HEAD', redirect: 'manual', signal } as const
  const response = await fetch(slack.apiUrl, request).catch(() => undefined)
  const date = Date.parse(response?.headers.get('date') ?? '')
  if (Number.isNaN(date)) return [skipped('Slack did not respond, so it was not compared.')]
  return [judgeClock(Date.now() - date)]
}

/** @param skewMs positive if this machine's clock is ahead of Slack's */
export function judgeClock(skewMs: number): Result {
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return ok('It differs from Slack’s by less than a minute.')
  const direction = skewMs < 0 ? 'behind' : 'ahead of'
  return failed(
    `This machine’s clock is ${Math.round(Math.abs(skewMs) / 1_000)} seconds ${direction} Slack’s.`,
    'Synchronize the clock: timedatectl set-ntp true. In a container or virtual machine, set the host’s clock.',
  )
}

const MIN_SECRET_LENGTH = 6

function secretsIn(env: Environment): string[] {
  const { DATABASE_URL: databaseUrl = '', ...values } = readVariables(env, [])
  const { password = '' } = URL.parse(postgresUrls(databaseUrl)[0]) ?? {}
  const secrets = Object.entries(values).flatMap(([name, value]) =>
    isSecret(name) ? String(value) : [],
  )
  // Shorter secrets are not masked, because they could be part of any word.
  return [...secrets, password].filter(({ length }) => length >= MIN_SECRET_LENGTH)
}

function isHealthy(findings: readonly Finding[]): boolean {
  return findings.every(({ status }) => status !== 'failed' && status !== 'unchecked')
}

export function sanitize(findings: readonly ReportedFinding[], secrets: readonly string[]) {
  const clean = (text: string): string => printable(withoutSecrets(text, secrets))
  return findings.map((finding) => ({
    ...finding,
    message: clean(finding.message),
    fix: finding.fix && clean(finding.fix),
  }))
}

export function textReport(findings: readonly ReportedFinding[], colors: boolean): string {
  const style = (format: Parameters<typeof styleText>[0], text: string): string =>
    colors ? styleText(format, text, { validateStream: false }) : text
  const groups = Map.groupBy(findings, ({ group }) => group)
  const lines = [...groups].flatMap(([group, ofGroup]) => [
    style('bold', group),
    ...ofGroup.flatMap(({ name, status, message, fix }) => [
      `  ${style(MARKS[status].color, MARKS[status].symbol)} ${name}: ${message}`,
      ...(fix === undefined ? [] : [`      → ${fix}`]),
    ]),
    '',
  ])
  return `${lines.join('\n')}\n${summary(findings)}\n`
}

export function jsonReport(findings: readonly ReportedFinding[]): string {
  return `${JSON.stringify({ ok: isHealthy(findings), findings }, undefined, 2)}\n`
}

function summary(findings: readonly Finding[]): string {
  const count = (wanted: Finding['status']) =>
    findings.filter(({ status }) => status === wanted).length
  const warnings = count('warning') === 1 ? '1 warning' : `${count('warning')} warnings`
  return `${count('failed')} failed, ${count('unchecked')} not checked, ${warnings}, ${count('ok')} ok, ${count('skipped')} skipped.`
}
