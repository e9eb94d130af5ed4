import type { Finding } from './check-service.ts'

const MARKS = { holds: '✓', broken: '✗', unchecked: '–' } as const

/** Builds the report for people: the table of all rules, then what is wrong, and what wasn't checked. */
export function formatReport(findings: readonly Finding[]): string {
  const broken = findings.filter(({ status }) => status === 'broken')
  const unchecked = findings.filter(({ status }) => status === 'unchecked')
  const held = findings.length - broken.length - unchecked.length
  return [
    '',
    ...findings.map(({ status, section, rule }) => tableRow(MARKS[status], section, rule)),
    ...(unchecked.length > 0 ? ['', 'Not checked (–):', ''] : []),
    ...unchecked.flatMap(uncheckedLines),
    ...(broken.length > 0 ? ['', 'Broken (✗):', ''] : []),
    ...broken.flatMap(brokenLines),
    '',
    `${held} of ${findings.length} rules hold, ${broken.length} ${broken.length === 1 ? 'is' : 'are'} broken, ${unchecked.length} couldn’t be checked.`,
    '',
  ].join('\n')
}

function tableRow(mark: string, section: string, rule: string): string {
  return `  ${mark}  §${section.padEnd(3)}  ${rule}`
}

function uncheckedLines({ section, rule, reason = '' }: Finding): string[] {
  return [tableRow(MARKS.unchecked, section, rule), `           ${sentence(reason)}`]
}

function brokenLines({ section, rule, sent, received, otherwise }: Finding): string[] {
  return [
    tableRow(MARKS.broken, section, rule),
    `           Sent:     ${sent ?? ''}`,
    `           Answer:   ${received ?? ''}`,
    `           The app:  ${otherwise ?? ''}`,
    '',
  ]
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
