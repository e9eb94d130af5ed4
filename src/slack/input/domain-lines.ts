import type { DomainRecord } from '../../workspaces/connection.ts'
import { LIMITS } from '../blocks/limits.ts'
import { linesOf, type Line } from './lines.ts'
import type { Fault } from './slack-input-error.ts'

/** At least one; the first is the default. */
export type Domains = [DomainRecord, ...DomainRecord[]]

/** The lines for these records: the reverse of what `parseDomains` reads. */
export function domainLines(domains: readonly DomainRecord[]): string[] {
  return domains.map(({ name, domain_name }) => `${name} ${domain_name}`)
}

/**
 * Reads domain records, one a line.
 *
 * @param texts what stands in each of the inputs
 * @param faults takes each fault, at its input
 * @returns undefined where there is a fault
 */
export function parseDomains(texts: readonly string[], faults: Fault[]): Domains | undefined {
  const before = faults.length
  const seen = new Map<string, Line>()
  const domains = linesOf('domains', texts).flatMap((line): DomainRecord[] => {
    const record = recordOf(line, faults)
    if (!record) return []
    const twin = seen.get(record.name)
    if (twin) {
      const where = twin.field === line.field ? `in line ${twin.number}` : 'further up'
      addFault(faults, line, `the ID “${record.name}” stands ${where} already.`)
    }
    seen.set(record.name, line)
    return [record]
  })
  if (domains.length > LIMITS.selectOptions) {
    const message = `Slack’s menus take at most ${LIMITS.selectOptions} domains; these are ${domains.length}.`
    faults.push({ field: 'domains', message })
  }
  const [first, ...rest] = domains
  if (!first && faults.length === before) {
    faults.push({ field: 'domains', message: 'Give at least one domain.' })
  }
  return first && faults.length === before ? [first, ...rest] : undefined
}

function recordOf(line: Line, faults: Fault[]): DomainRecord | undefined {
  const [name, hostname, ...more] = line.text.split(/[\s,]+/)
  const domainName = hostname && hostOf(hostname)
  if (!name || !domainName || more.length > 0) {
    const message =
      'write the record’s ID, a space and its hostname, like “dom_123 go.example.com”.'
    addFault(faults, line, message)
    return undefined
  }
  if (name.length > LIMITS.optionValue) {
    const message = `the ID is longer than Slack’s menus take (${LIMITS.optionValue} characters).`
    addFault(faults, line, message)
  }
  return { name, domain_name: domainName }
}

function addFault(faults: Fault[], { field, number }: Line, message: string): void {
  faults.push({ field, message: `Line ${number}: ${message}` })
}

/** A hostname as URLs write it, with its port if it has one; people paste whole URLs as well. */
function hostOf(text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  return url && /[.:]|^localhost$/.test(url.hostname) && !url.username ? url.host : undefined
}
