import { parseArgs } from 'node:util'
import { parseBaseUrl } from '../contract/endpoints.ts'
import { RULES } from './rules/rules.ts'

export interface Options {
  baseUrl: string
  domain: string
  /** A section of the specification. */
  only: string | undefined
  yes: boolean
  json: boolean
}

/** The arguments are wrong. The message is for the person who typed them. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** @throws UsageError */
export function parseArguments(argv: string[]): Options | 'help' {
  const values = parse(argv)
  if (values.help) return 'help'
  const { 'base-url': url, domain, only, yes, json } = values
  if (!url || !domain) throw new UsageError('Set --base-url URL and --domain ID. See --help.')
  const sections = [...new Set(RULES.map(({ section }) => section))].toSorted(
    (one, other) => Number(one) - Number(other),
  )
  if (only !== undefined && !sections.some((section) => `${section}.`.startsWith(`${only}.`))) {
    throw new UsageError(`--only must be a section with rules: ${sections.join(', ')}.`)
  }
  return { baseUrl: baseUrl(url), domain, only, yes, json }
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: {
        'base-url': { type: 'string' },
        domain: { type: 'string' },
        only: { type: 'string' },
        yes: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    }).values
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${reason}\nSee --help.`)
  }
}

function baseUrl(text: string): string {
  try {
    return parseBaseUrl(text)
  } catch (error) {
    throw new UsageError(`--base-url: ${error instanceof Error ? error.message : String(error)}`)
  }
}
