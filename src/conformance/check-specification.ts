import type { Transport } from '../client/transport.ts'
import { createLinkClient } from '../drivers/backhalf/link-client.ts'
import { isLoopbackHostname } from '../http/public-hostname.ts'
import type { LinkService } from '../port/link-service.ts'
import type { Clock } from '../timing/clock.ts'
import type { Options } from './options.ts'
import { formatReport } from './report.ts'
import { checkRules, type Rule } from './rule.ts'
import { rulesIn } from './rules/rules.ts'
import { shownText } from './shown-text.ts'
import { MAX_LINKS } from './test-links.ts'
import {
  createTestedService,
  NoResponse,
  Unchecked,
  type CreatedLink,
  type TestedService,
} from './tested-service.ts'

export interface CheckContext {
  apiKey: string
  // Matches the API key in a text.
  key: RegExp
  transport: Transport
  // Opens short URLs.
  visits: Transport
  clock: Clock
  deadlineMs: number | undefined
  out: (text: string) => unknown
  err: (text: string) => unknown
  isConfirmed: () => Promise<boolean>
}

/**
 * Checks a link service against the rules of the specification, and prints a report.
 * @returns the exit code
 */
export async function checkSpecification(options: Options, context: CheckContext): Promise<number> {
  const { out, err, key, clock, isConfirmed } = context
  const service = createTestedService({ ...context, ...options })
  const client = createLinkClient({ ...context, ...options })
  const rules = rulesIn(options.only)
  const obstacle = await findObstacle(service)
  if (obstacle) {
    err(`${obstacle}\n`)
    return 1
  }
  const canDelete = (await client.readCapabilities())?.delete ?? false
  err(warning(options, rules, canDelete))
  if (!(await isConfirmed())) return 1
  const findings = await checkRules(rules, service, clock)
  const remainingLinks = await deleteLinks(service, canDelete ? client : undefined)
  const remaining = remainingLinks.length
  const deleted = service.created.length - remaining
  const isBroken = findings.some(({ status }) => status === 'broken')
  const urls = remainingLinks.flatMap(({ shortUrl }) =>
    shortUrl ? [shownText(shortUrl, key)] : [],
  )
  if (options.json) {
    const result = {
      conforms: !isBroken,
      rules: findings,
      links: { deleted, left: remaining, urls },
    }
    out(`${JSON.stringify(result, null, 2)}\n`)
  } else {
    out(formatReport(findings) + linksText(deleted, remaining, urls))
  }
  return isBroken ? 1 : 0
}

/** @returns why the service can't be checked; undefined if it can */
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

/** @returns the links that could not be deleted */
async function deleteLinks(
  { created }: TestedService,
  client: LinkService | undefined,
): Promise<CreatedLink[]> {
  const remaining: CreatedLink[] = []
  for (const link of created) {
    if (client?.remove && link.name)
      await client.remove(link.name).catch(() => remaining.push(link))
    else remaining.push(link)
  }
  return remaining
}

function linksText(deleted: number, remaining: number, urls: readonly string[]): string {
  const withoutUrl = remaining - urls.length
  return [
    ...(deleted > 0 ? [`Links created and deleted: ${deleted}`] : []),
    ...(remaining > 0 ? [`Links created and not deleted: ${remaining}`] : []),
    ...urls.map((url) => `  ${url}`),
    ...(withoutUrl > 0 ? [`  Links without a short URL in the response: ${withoutUrl}`] : []),
    '',
  ].join('\n')
}
