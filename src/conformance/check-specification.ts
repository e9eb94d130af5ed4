import type { Transport } from '../client/transport.ts'
import { createLinkClient } from '../drivers/backhalf/link-client.ts'
import { isLoopbackHostname } from '../http/public-hostname.ts'
import type { LinkService } from '../port/link-service.ts'
import type { Clock } from '../timing/clock.ts'
import type { Options } from './options.ts'
import { checkRules, type Finding, type Rule } from './rule.ts'
import { rulesIn } from './rules/rules.ts'
import { ALL_LINKS } from './test-links.ts'
import {
  createTestedService,
  NoResponse,
  Unchecked,
  type CreatedLink,
  type TestedService,
} from './tested-service.ts'

export interface CheckContext extends Options {
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

export async function checkSpecification(context: CheckContext): Promise<number> {
  const { out, err, clock, isConfirmed } = context
  const service = createTestedService(context)
  const client = createLinkClient(context)
  const rules = rulesIn(context.only)
  const obstacle = await findObstacle(service)
  if (obstacle) {
    err(`${obstacle}\n`)
    return 1
  }
  const canDelete = (await client.readCapabilities())?.delete ?? false
  err(warning(context, rules, canDelete))
  if (!(await isConfirmed())) return 1
  const findings = await checkRules(rules, service, clock)
  const remaining = await deleteLinks(service, canDelete ? client : undefined)
  const links = {
    deleted: service.created.length - remaining.length,
    left: remaining.length,
    urls: remaining.map(({ shortUrl }) => shortUrl).filter((url) => url !== undefined),
  }
  const conforms = findings.every(({ status }) => status !== 'broken')
  const json = { conforms, rules: findings, links }
  out(
    context.json ? `${JSON.stringify(json, null, 2)}\n` : formatReport(findings) + linksText(links),
  )
  return conforms ? 0 : 1
}

async function findObstacle(service: TestedService): Promise<string | undefined> {
  try {
    const { status, received } = await service.list()
    if (status === 401) return `The service refuses this API key. Its response: ${received}`
    if (status >= 300 && status < 400) {
      return `The service redirects. Set --base-url to the address it redirects to. Its response: ${received}`
    }
    return undefined
  } catch (error) {
    if (!(error instanceof Unchecked || error instanceof NoResponse)) throw error
    return `The service can’t be used: ${error.message}.`
  }
}

function warning({ baseUrl, domain }: Options, rules: readonly Rule[], canDelete: boolean): string {
  const { protocol, hostname } = new URL(baseUrl)
  const fate = canDelete
    ? 'but this service offers one. They are deleted at the end'
    : 'so they stay'
  const text = `This checks ${rules.length} rules of the specification against ${baseUrl}.
It creates up to ${ALL_LINKS} links on the domain record ${domain}, and one more for each request that the service accepts but should refuse.
The specification has no way to delete links, ${fate}.
`
  if (protocol === 'https:' || isLoopbackHostname(hostname)) return text
  return `${text}Warning: the address begins with http://, so the API key is sent unencrypted.\n`
}

async function deleteLinks({ created }: TestedService, client: LinkService | undefined) {
  const remaining: CreatedLink[] = []
  for (const link of created) {
    if (client?.remove && link.name)
      await client.remove(link.name).catch(() => remaining.push(link))
    else remaining.push(link)
  }
  return remaining
}

function linksText(links: { deleted: number; left: number; urls: readonly string[] }): string {
  let text = ''
  if (links.deleted > 0) text += `Links created and deleted: ${links.deleted}\n`
  if (links.left > 0) text += `Links created and not deleted: ${links.left}\n`
  for (const url of links.urls) text += `  ${url}\n`
  return text
}

const MARKS = { holds: '✓', broken: '✗', unchecked: '–' } as const

function formatReport(findings: readonly Finding[]): string {
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
      `  ${reason.charAt(0).toUpperCase()}${reason.slice(1)}:`,
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
