import type { DomainRecord, Domains } from '../../workspaces/connection.ts'
import { LIMITS } from '../block-kit/limits.ts'
import type { FieldError } from '../platform/field-errors.ts'
import type { Line } from './settings-form.ts'

export function domainLines(domains: readonly DomainRecord[]): string[] {
  return domains.map(({ name, domain_name }) => `${name} ${domain_name}`)
}

/** @param issues receives the errors of the lines. If there are any, this returns undefined */
export function parseDomains(lines: readonly Line[], issues: FieldError[]): Domains | undefined {
  const issuesBefore = issues.length
  const seen = new Map<string, Line>()
  const domains = lines.flatMap((line): DomainRecord[] => {
    const record = parseLine(line, issues)
    if (!record) return []
    const earlier = seen.get(record.name)
    if (earlier) {
      const message = `the ID “${record.name}” is already in line ${earlier.number}. Remove one.`
      addIssue(issues, line, message)
    }
    seen.set(record.name, line)
    return [record]
  })
  if (domains.length > LIMITS.selectOptions) {
    const message = `Slack’s menus hold at most ${LIMITS.selectOptions} domains, but there are ${domains.length}. Remove some.`
    issues.push({ field: 'domains', message })
  }
  const [first, ...rest] = domains
  return first && issues.length === issuesBefore ? [first, ...rest] : undefined
}

function parseLine(line: Line, issues: FieldError[]): DomainRecord | undefined {
  const [name, hostname, ...more] = line.text.split(/[\s,]+/)
  const domainName = hostname && parseHost(hostname)
  if (!name || !domainName || more.length > 0) {
    const message =
      'write the record’s ID, a space and its hostname, like “dom_123 go.example.com”.'
    addIssue(issues, line, message)
    return undefined
  }
  if (name.length > LIMITS.optionValue) {
    const message = `the ID is longer than Slack’s menus allow (${LIMITS.optionValue} characters).`
    addIssue(issues, line, message)
  }
  return { name, domain_name: domainName }
}

function addIssue(issues: FieldError[], { number }: Line, message: string): void {
  issues.push({ field: 'domains', message: `Line ${number}: ${message}` })
}

/** Parses a hostname or a URL: `https://go.example.com:8443/x` → `go.example.com:8443`. */
function parseHost(text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  return url && /[.:]|^localhost$/.test(url.hostname) && !url.username ? url.host : undefined
}
