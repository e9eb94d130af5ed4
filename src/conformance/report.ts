import type { Finding } from './rule.ts'

const MARKS = { holds: '✓', broken: '✗', unchecked: '–' } as const

export function formatReport(findings: readonly Finding[]): string {
  const broken = findings.filter(({ status }) => status === 'broken')
  const unchecked = Object.entries(
    Object.groupBy(
      findings.filter(({ status }) => status === 'unchecked'),
      ({ reason = '' }) => reason,
    ),
  )
  const count = (wanted: Finding['status']): number =>
    findings.filter(({ status }) => status === wanted).length
  return [
    '',
    ...findings.map((finding) => `  ${MARKS[finding.status]}  ${ruleText(finding)}`),
    ...(unchecked.length > 0 ? ['', 'Not checked (–):'] : []),
    ...unchecked.flatMap(([reason, rules = []]) => [
      '',
      `  ${sentence(reason)}`,
      ...rules.map(indented),
    ]),
    ...(broken.length > 0 ? ['', 'Broken (✗):'] : []),
    ...broken.flatMap(brokenLines),
    '',
    `Rules: ${count('holds')} hold, ${broken.length} broken, ${count('unchecked')} not checked.`,
    '',
  ].join('\n')
}

function ruleText({ section, rule }: Finding): string {
  return `§${section.padEnd(3)}  ${rule}`
}

function indented(finding: Finding): string {
  return `    ${ruleText(finding)}`
}

function brokenLines(finding: Finding): string[] {
  const { sent = '', received = '', otherwise = 'Nothing is missing in the app.' } = finding
  return [
    '',
    `  ${ruleText(finding)}`,
    `    Sent:     ${sent}`,
    `    Response: ${received}`,
    `    Effect:   ${otherwise}`,
  ]
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}:`
}
