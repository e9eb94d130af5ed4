import { CONNECT_BLOCKS, LINES_BLOCKS } from '../ids.ts'
import { parseDomains, type Domains } from './domain-lines.ts'
import { textOf, type FormValues } from './form-values.ts'
import { textsOf } from './lines.ts'
import { SlackInputError, type Fault } from './slack-input-error.ts'

/** What an admin typed into the connect form, checked. */
export interface ConnectInput {
  apiKey: string
  domains: Domains
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
  const domains = parseDomains(textsOf(values, LINES_BLOCKS.domains), faults)
  if (!domains || faults.length > 0) throw new SlackInputError(faults)
  return { apiKey, domains }
}
