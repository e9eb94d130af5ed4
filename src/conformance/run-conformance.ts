import { lookup } from 'node:dns/promises'
import { parseArgs } from 'node:util'
import { createLinkClient } from '../drivers/backhalf/link-client.ts'
import { createTransport, type Transport } from '../client/transport.ts'
import { parseBaseUrl } from '../contract/endpoints.ts'
import { isLoopbackHostname, isPrivateAddress, withoutBrackets } from '../http/public-hostname.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { DRIVERS } from '../drivers/drivers.ts'
import { SERVICE_KINDS, type LinkService } from '../port/link-service.ts'
import { checkDriver } from './driver-checks.ts'
import { formatReport } from './report.ts'
import { checkService, type Rule } from './rule.ts'
import { RULES } from './rules/rules.ts'
import { keyPattern, shownText, withoutKey } from './shown-text.ts'
import { MAX_LINKS } from './test-links.ts'
import {
  createTestedService,
  NoResponse,
  Unchecked,
  type CreatedLink,
  type TestedService,
} from './tested-service.ts'

interface ConformanceOptions {
  apiKey: string | undefined
  out: (text: string) => unknown
  err: (text: string) => unknown
  confirm?: ((question: string) => Promise<boolean>) | undefined
  clock?: Clock
  deadlineMs?: number
  isPrivate?: (address: string) => boolean
}

export async function runConformance(argv: string[], io: ConformanceOptions): Promise<number> {
  const { apiKey, confirm, clock = systemClock, isPrivate = isPrivateAddress } = io
  // The service’s responses, and even the arguments, might contain the key.
  const key = apiKey ? keyPattern(apiKey) : undefined
  const redacted = (text: string): string => (key ? withoutKey(text, key) : text)
  const out = (text: string): unknown => io.out(redacted(text))
  const err = (text: string): unknown => io.err(redacted(text))
  let options: Options | 'help'
  try {
    options = parseArguments(argv)
  } catch (error) {
    err(`${error instanceof Error ? error.message : String(error)}\nSee --help.\n`)
    return 2
  }
  if (options === 'help') {
    out(HELP)
    return 0
  }
  if (!apiKey || !key) {
    err('Set SHORTLINK_API_KEY, or SHORTLINK_API_KEY_FILE, to an API key of the service.\n')
    return 2
  }
  if (!options.yes && !confirm) {
    err('There is no terminal to ask for confirmation. Add --yes.\n')
    return 2
  }
  const transport = createTransport()
  // A service on the internet must not make this machine open addresses in its own network.
  const isLocal = await leadsTo(options.baseUrl, isPrivate)
  const visits = createTransport({ isForbidden: isLocal ? undefined : isPrivate })
  try {
    const check = options.kind === 'backhalf' ? runRules : runDriver
    return await check(options, { ...io, apiKey, key, out, err, clock, transport, visits })
  } finally {
    await Promise.all([transport.close(), visits.close()])
  }
}

async function leadsTo(url: string, isWanted: (address: string) => boolean): Promise<boolean> {
  const host = withoutBrackets(new URL(url).hostname)
  const addresses = await lookup(host, { all: true }).catch(() => [])
  return addresses.some(({ address }) => isWanted(address))
}

interface Checking extends ConformanceOptions, Record<'transport' | 'visits', Transport> {
  apiKey: string
  key: RegExp
  clock: Clock
}

async function isConfirmed({ yes }: Options, { confirm, err }: Checking): Promise<boolean> {
  if (yes || (await confirm?.('Check this service now?'))) return true
  err('No links were created.\n')
  return false
}

async function runRules(options: Options, io: Checking): Promise<number> {
  const { out, err, key, clock } = io
  const service = createTestedService({ ...io, ...options })
  const client = createLinkClient({ ...io, ...options })
  const rules = RULES.filter(({ section }) => isInSection(section, options.only))
  const obstacle = await findObstacle(service)
  if (obstacle) {
    err(`${obstacle}\n`)
    return 1
  }
  const canDelete = (await client.readCapabilities())?.delete ?? false
  err(warning(options, rules, canDelete))
  if (!(await isConfirmed(options, io))) return 1
  const findings = await checkService(rules, service, clock)
  const left = await deleteLinks(service, canDelete ? client : undefined)
  const deleted = service.created.length - left.length
  const isBroken = findings.some(({ status }) => status === 'broken')
  const urls = left.flatMap(({ shortUrl }) => (shortUrl ? [shownText(shortUrl, key)] : []))
  if (options.json) {
    const result = {
      conforms: !isBroken,
      rules: findings,
      links: { deleted, left: left.length, urls },
    }
    out(`${JSON.stringify(result, null, 2)}\n`)
  } else {
    out(formatReport(findings) + linksText(deleted, left.length, urls))
  }
  return isBroken ? 1 : 0
}

const DRIVER_MARKS = { works: '✓', lacking: '–', wrong: '✗' } as const
const PAUSE_MS = 250

async function runDriver(options: Options, io: Checking): Promise<number> {
  const { out, err, apiKey, key, clock, transport, visits } = io
  const { kind, baseUrl, json } = options
  const { label, load } = DRIVERS[kind]
  err(`This creates about ten links at the ${label} at ${baseUrl}, and deletes them if it can.\n`)
  if (!(await isConfirmed(options, io))) return 1
  const create = await load()
  const access = { transport, baseUrl, clock }
  const findings = await checkDriver({
    service: create({ ...access, apiKey }),
    withWrongKey: create({ ...access, apiKey: 'backhalf-tries-a-wrong-key' }),
    pause: () => clock.sleep(PAUSE_MS),
    run: `backhalf${clock.now().toString(36)}`,
    async visit(url) {
      const headers = { 'user-agent': BROWSER }
      const response = await visits.send({ method: 'GET', url, headers })
      return response.header('location')
    },
  })
  const lines = findings.map(({ what, status, detail }) => {
    const shown = detail === undefined ? '' : `: ${shownText(detail, key)}`
    return `  ${DRIVER_MARKS[status]}  ${what}${shown}\n`
  })
  const isWrong = findings.some(({ status }) => status === 'wrong')
  out(json ? `${JSON.stringify({ works: !isWrong, findings }, null, 2)}\n` : lines.join(''))
  return isWrong ? 1 : 0
}

/** The user agent of a browser, because services count only browsers as visitors. */
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

async function findObstacle(service: TestedService): Promise<string | undefined> {
  try {
    const { status, received } = await service.list()
    if (status === 401) return `The service refuses this API key. Its response: ${received}`
    if (status >= 300 && status < 400) {
      return `The service redirects. Set --base-url to the address it redirects to. Its response: ${received}`
    }
    return undefined
  } catch (error) {
    if (error instanceof Unchecked) return `Nothing could be checked: ${error.message}.`
    if (error instanceof NoResponse) return `The service can’t be used: ${error.message}.`
    throw error
  }
}

function warning({ baseUrl, domain }: Options, rules: readonly Rule[], canDelete: boolean): string {
  const { protocol, hostname } = new URL(baseUrl)
  const lines = [
    `This checks ${rules.length} rules of the specification against ${baseUrl}.`,
    `It creates up to ${MAX_LINKS} links on the domain record ${domain}, and one more for each request that the service accepts but should refuse.`,
    canDelete
      ? 'The specification has no way to delete links, but this service offers one. They are deleted at the end.'
      : 'The specification has no way to delete links, so they stay.',
    ...(protocol === 'http:' && !isLoopbackHostname(hostname)
      ? ['Warning: the address begins with http://, so the API key is sent unencrypted.']
      : []),
  ]
  return `${lines.join('\n')}\n`
}

async function deleteLinks(
  { created }: TestedService,
  client: LinkService | undefined,
): Promise<CreatedLink[]> {
  const left: CreatedLink[] = []
  for (const link of created) {
    if (client?.remove && link.name) await client.remove(link.name).catch(() => left.push(link))
    else left.push(link)
  }
  return left
}

function linksText(deleted: number, left: number, urls: readonly string[]): string {
  const unknown = left - urls.length
  return [
    ...(deleted > 0 ? [`Links created and deleted: ${deleted}`] : []),
    ...(left > 0 ? [`Links created and not deleted: ${left}`] : []),
    ...urls.map((url) => `  ${url}`),
    ...(unknown > 0 ? [`  Links without a short URL in the response: ${unknown}`] : []),
    '',
  ].join('\n')
}

/** Section `4` includes 4.1 and 4.2. */
function isInSection(section: string, only: string | undefined): boolean {
  return only === undefined || section === only || section.startsWith(`${only}.`)
}

type Options = Exclude<ReturnType<typeof parseArguments>, 'help'>

function parseArguments(argv: string[]) {
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
  const kind = SERVICE_KINDS.find((one) => one === values.kind)
  if (!kind) throw new Error(`--kind must be one of ${SERVICE_KINDS.join(', ')}.`)
  if (!url || (kind === 'backhalf' && !domain)) {
    throw new Error('Set --base-url URL and --domain ID.')
  }
  const sections = [...new Set(RULES.map(({ section }) => section))].toSorted(
    (one, other) => Number(one) - Number(other),
  )
  if (only !== undefined && !sections.some((section) => isInSection(section, only))) {
    throw new Error(`--only must be a section with rules: ${sections.join(', ')}.`)
  }
  return { baseUrl: parseBaseUrl(url), kind, domain, only, yes, json }
}

const HELP = `Checks a link service against each rule of the specification, or a service of another kind.

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
