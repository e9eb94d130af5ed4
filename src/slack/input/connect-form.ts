import type { DomainRecord } from '../../workspaces/connection.ts'
import { LIMITS } from '../blocks/limits.ts'
import { CONNECT_BLOCKS } from '../ids.ts'
import { textOf, type FormValues } from './form-values.ts'
import { SlackInputError, type Fault } from './slack-input-error.ts'

/** What an admin typed into the connect form, checked. */
export interface ConnectInput {
  apiKey: string
  /** At least one; the first is the default. */
  domains: [DomainRecord, ...DomainRecord[]]
}

/**
 * Reads the connect form.
 *
 * @throws SlackInputError with each fault at its field; it never holds the key
 */
export function parseConnectForm(values: FormValues): ConnectInput {
  const faults: Fault[] = []
  const apiKey = textOf(values, CONNECT_BLOCKS.apiKey)
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    faults.push({
      field: 'api_key',
      message: 'An API key is one word of letters and digits. Copy it whole, without spaces.',
    })
  }
  const [first, ...rest] = parseDomains(textOf(values, CONNECT_BLOCKS.domains), faults)
  if (!first || faults.length > 0) throw new SlackInputError(faults)
  return { apiKey, domains: [first, ...rest] }
}

/** The text of the domains field for these records: the reverse of what the form reads. */
export function domainLines(domains: readonly DomainRecord[]): string {
  return domains.map(({ name, domain_name }) => `${name} ${domain_name}`).join('\n')
}

function parseDomains(text: string, faults: Fault[]): DomainRecord[] {
  const field = 'domains'
  const lines = text.split('\n').map((line) => line.trim())
  const domains = lines.flatMap((line, index): DomainRecord[] => {
    if (line === '') return []
    const [name, hostname, ...more] = line.split(/[\s,]+/)
    const domainName = hostname && hostOf(hostname)
    if (!name || !domainName || more.length > 0) {
      const message = `Line ${index + 1}: write the record’s ID, a space and its hostname, like “dom_123 go.example.com”.`
      faults.push({ field, message })
      return []
    }
    if (name.length > LIMITS.optionValue) {
      const message = `Line ${index + 1}: the ID is longer than Slack’s menus take (${LIMITS.optionValue} characters).`
      faults.push({ field, message })
    }
    return [{ name, domain_name: domainName }]
  })
  if (new Set(domains.map(({ name }) => name)).size < domains.length) {
    faults.push({ field, message: 'The same ID stands twice.' })
  }
  if (domains.length > LIMITS.selectOptions) {
    faults.push({ field, message: `Slack’s menus take at most ${LIMITS.selectOptions} domains.` })
  }
  if (domains.length === 0 && faults.every((fault) => fault.field !== field)) {
    faults.push({ field, message: 'Give at least one domain.' })
  }
  return domains
}

/** A hostname as URLs write it, with its port if it has one; people paste whole URLs as well. */
function hostOf(text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  return url && /[.:]|^localhost$/.test(url.hostname) && !url.username ? url.host : undefined
}
