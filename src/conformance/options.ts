import { parseArgs } from 'node:util'
import { parseBaseUrl } from '../contract/endpoints.ts'
import { SERVICE_KINDS } from '../port/link-service.ts'
import { RULES, rulesIn } from './rules/rules.ts'

export type Options = Exclude<ReturnType<typeof parseArguments>, 'help'>

export function parseArguments(argv: string[]) {
  const { values } = parseArgs({
    args: argv,
    options: {
      'base-url': { type: 'string' },
      kind: { type: 'string', default: 'backhalf' },
      domain: { type: 'string', default: '' },
      only: { type: 'string' },
      yes: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  })
  if (values.help) return 'help' as const
  const { 'base-url': url, domain, only, yes, json } = values
  const kind = SERVICE_KINDS.find((serviceKind) => serviceKind === values.kind)
  if (!kind) throw new Error(`--kind must be one of ${SERVICE_KINDS.join(', ')}.`)
  if (!url || (kind === 'backhalf' && !domain)) {
    throw new Error('Set --base-url URL and --domain ID.')
  }
  if (rulesIn(only).length === 0) {
    const sections = [...new Set(RULES.map(({ section }) => section))]
    const sorted = sections.toSorted((one, other) => Number(one) - Number(other))
    throw new Error(`--only must be a section with rules: ${sorted.join(', ')}.`)
  }
  return { baseUrl: parseBaseUrl(url), kind, domain, only, yes, json }
}

export const HELP = `Checks a link service against each rule of the specification, or a service of another kind.

  npm run conformance -- --base-url URL --domain ID [--only SECTION] [--yes] [--json]
  npm run conformance -- --kind KIND --base-url URL [--yes] [--json]

  --base-url URL     the service’s address, to which /api/v1/… is appended
  --domain ID        the domain record on which links are created
  --kind KIND        ${SERVICE_KINDS.filter((kind) => kind !== 'backhalf').join(', ')}: creates, changes and deletes links, and says what works, what the
                     service lacks and what is wrong. --base-url is the root of its site
  --only SECTION     check only the rules of one section, such as 4.1 or 5
  --yes              don’t ask for confirmation
  --json             print the findings as JSON

The API key comes from SHORTLINK_API_KEY, or from the file that SHORTLINK_API_KEY_FILE names. The exit
code is 0 if no checked rule is broken, 1 if one is or nothing could be checked, and 2 if the arguments
are wrong.
`
