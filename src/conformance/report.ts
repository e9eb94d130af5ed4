import type { Finding } from './rule.ts'

const MARKS = { holds: '✓', broken: '✗', unchecked: '–' } as const

export function formatReport(findings: readonly Finding[]): string {
  const broken = findings.filter(({ status }) => status === 'broken')
  const unchecked = findings.filter(({ status }) => status === 'unchecked')
  const reasons = Map.groupBy(unchecked, ({ reason = '' }) => reason)
  const holding = findings.length - broken.length - unchecked.length
  return [
    '',
    ...findings.map((finding) => `  ${MARKS[finding.status]}  ${ruleText(finding)}`),
    ...(unchecked.length > 0 ? ['', 'Not checked (–):'] : []),
    ...[...reasons].flatMap(([reason, rules]) => [
      '',
      `  ${sentence(reason)}`,
      ...rules.map((finding) => `    ${ruleText(finding)}`),
    ]),
    ...(broken.length > 0 ? ['', 'Broken (✗):'] : []),
    ...broken.flatMap(brokenLines),
    '',
    `Rules: ${holding} hold, ${broken.length} broken, ${unchecked.length} not checked.`,
    '',
  ].join('\n')
}

function ruleText({ section, rule }: Finding): string {
  return `§${section.padEnd(3)}  ${rule}`
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
