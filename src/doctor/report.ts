import { styleText } from 'node:util'
import { printable, withoutSecrets, type Finding } from './check.ts'

/** What was found about one part of the setup. */
export interface Group {
  title: string
  findings: readonly Finding[]
}

type Status = Finding['status']

const SYMBOLS = { ok: '✓', warning: '!', failed: '✗', skipped: '–' } as const
const COLORS = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'gray' } as const

/** Whether nothing has failed. Warnings don't count. */
export function isHealthy(groups: readonly Group[]): boolean {
  return !groups.some(({ findings }) => findings.some(({ status }) => status === 'failed'))
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
  return `${count('failed')} failed, ${warnings}, ${count('ok')} ok, ${count('skipped')} skipped.`
}

/** One line without secrets. */
function plain(text: string, secrets: readonly string[]): string {
  return printable(withoutSecrets(text, secrets))
}
