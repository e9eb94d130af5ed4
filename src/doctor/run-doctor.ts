import { styleText } from 'node:util'
import type { Environment } from '../config/variables.ts'
import { printable, withoutSecrets, type Finding } from './check.ts'
import type { DotenvFile } from './configuration-checks.ts'
import { readDeployment } from './deployment.ts'
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

/** @returns the exit code */
export async function runDoctor(
  args: readonly string[],
  { env, dotenv, colors, out, err }: DoctorOptions,
): Promise<number> {
  if (args.length === 1 && (args[0] === '--help' || args[0] === '-h')) {
    out(USAGE)
    return 0
  }
  if (args.length > 1 || (args.length === 1 && args[0] !== '--json')) {
    err(USAGE)
    return 2
  }
  const deployment = readDeployment(env)
  const groups = await examine(deployment, dotenv)
  const { secrets } = deployment
  out(args.length === 1 ? jsonReport(groups, secrets) : textReport(groups, { colors, secrets }))
  return isHealthy(groups) ? 0 : 1
}

type Status = Finding['status']

const SYMBOLS = { ok: '✓', warning: '!', failed: '✗', unchecked: '?', skipped: '–' } as const
const COLORS = {
  ok: 'green',
  warning: 'yellow',
  failed: 'red',
  unchecked: 'yellow',
  skipped: 'gray',
} as const

/** Warnings don't count, nor does what the setup doesn't need. */
function isHealthy(groups: readonly Group[]): boolean {
  return !groups.some(({ findings }) =>
    findings.some(({ status }) => status === 'failed' || status === 'unchecked'),
  )
}

/** The report for people: a line for each finding, and one below it for what to do. */
export function textReport(
  groups: readonly Group[],
  { colors, secrets }: { colors: boolean; secrets: readonly string[] },
): string {
  const paint = (status: Status, text: string): string =>
    colors ? styleText(COLORS[status], text, { validateStream: false }) : text
  const bold = (text: string): string =>
    colors ? styleText('bold', text, { validateStream: false }) : text
  const lines = groups.flatMap(({ title, findings }) => [
    bold(title),
    ...findings.flatMap(({ name, status, message, fix }) => [
      `  ${paint(status, SYMBOLS[status])} ${name}: ${plain(message, secrets)}`,
      ...(fix === undefined ? [] : [`      → ${plain(fix, secrets)}`]),
    ]),
    '',
  ])
  return `${lines.join('\n')}\n${summary(groups)}\n`
}

/** The report for programs. */
export function jsonReport(groups: readonly Group[], secrets: readonly string[]): string {
  const findings = groups.flatMap(({ title, findings: found }) =>
    found.map(({ name, status, message, fix }) => ({
      group: title,
      name,
      status,
      message: plain(message, secrets),
      ...(fix !== undefined && { fix: plain(fix, secrets) }),
    })),
  )
  return `${JSON.stringify({ ok: isHealthy(groups), findings }, undefined, 2)}\n`
}

function summary(groups: readonly Group[]): string {
  const count = (status: Status): number =>
    groups.flatMap(({ findings }) => findings).filter((finding) => finding.status === status).length
  const warnings = count('warning') === 1 ? '1 warning' : `${count('warning')} warnings`
  return `${count('failed')} failed, ${count('unchecked')} not checked, ${warnings}, ${count('ok')} ok, ${count('skipped')} skipped.`
}

function plain(text: string, secrets: readonly string[]): string {
  return printable(withoutSecrets(text, secrets))
}
