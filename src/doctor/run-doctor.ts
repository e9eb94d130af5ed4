import { styleText } from 'node:util'
import { setCommand } from '../config/command.ts'
import { ConfigError, parseConfig, type Config } from '../config/config.ts'
import { readVariables, type Environment } from '../config/variables.ts'
import { postgresUrls } from '../database/database-url.ts'
import { MARKS, printable, withoutSecrets, type Finding } from './check.ts'
import { checkConfiguration, type DotenvFile } from './configuration-checks.ts'
import { examine, type Group } from './examine.ts'

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
  const groups = sanitize(await check(env, dotenv), secretsIn(env))
  out(option === '--json' ? jsonReport(groups) : textReport(groups, colors))
  return isHealthy(groups) ? 0 : 1
}

async function check(env: Environment, dotenv: DotenvFile): Promise<Group[]> {
  let config: Config | undefined
  let issues: readonly string[] = []
  try {
    config = parseConfig(env, { isTerminal: false })
    setCommand(config.command)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    issues = error.issues
  }
  const findings = await checkConfiguration(issues, dotenv)
  return [{ title: 'Configuration', findings }, ...(config ? await examine(config) : [])]
}

const MIN_SECRET_LENGTH = 6

function secretsIn(env: Environment): string[] {
  const values = readVariables(env, [])
  const { password } = URL.parse(postgresUrls(values.DATABASE_URL ?? '')[0]) ?? {}
  const secrets = [
    values.SLACK_SIGNING_SECRET,
    values.SLACK_BOT_TOKEN,
    values.SLACK_APP_TOKEN,
    values.SLACK_CLIENT_SECRET,
    values.SLACK_STATE_SECRET,
    values.SHORTLINK_API_KEY,
    values.ENCRYPTION_KEYS,
    password,
  ]
  // Shorter secrets are not masked, because they could be part of any word.
  return secrets.flatMap((secret = '') => (secret.length >= MIN_SECRET_LENGTH ? secret : []))
}

function isHealthy(groups: readonly Group[]): boolean {
  const statuses = groups.flatMap(({ findings }) => findings.map(({ status }) => status))
  return !statuses.includes('failed') && !statuses.includes('unchecked')
}

export function sanitize(groups: readonly Group[], secrets: readonly string[]): Group[] {
  const clean = (text: string): string => printable(withoutSecrets(text, secrets))
  return groups.map(({ title, findings }) => ({
    title,
    findings: findings.map((finding) => ({
      ...finding,
      message: clean(finding.message),
      fix: finding.fix && clean(finding.fix),
    })),
  }))
}

export function textReport(groups: readonly Group[], colors: boolean): string {
  const style = (format: Parameters<typeof styleText>[0], text: string): string =>
    colors ? styleText(format, text, { validateStream: false }) : text
  const lines = groups.flatMap(({ title, findings }) => [
    style('bold', title),
    ...findings.flatMap(({ name, status, message, fix }) => [
      `  ${style(MARKS[status].color, MARKS[status].symbol)} ${name}: ${message}`,
      ...(fix === undefined ? [] : [`      → ${fix}`]),
    ]),
    '',
  ])
  return `${lines.join('\n')}\n${summary(groups)}\n`
}

export function jsonReport(groups: readonly Group[]): string {
  const findings = groups.flatMap((group) =>
    group.findings.map((finding) => ({ group: group.title, ...finding })),
  )
  return `${JSON.stringify({ ok: isHealthy(groups), findings }, undefined, 2)}\n`
}

function summary(groups: readonly Group[]): string {
  const statuses = groups.flatMap(({ findings }) => findings.map(({ status }) => status))
  const count = (wanted: Finding['status']) => statuses.filter((status) => status === wanted).length
  const warnings = count('warning') === 1 ? '1 warning' : `${count('warning')} warnings`
  return `${count('failed')} failed, ${count('unchecked')} not checked, ${warnings}, ${count('ok')} ok, ${count('skipped')} skipped.`
}
