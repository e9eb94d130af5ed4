import { UTM_PARAMETERS } from '../contract/link-fields.ts'
import type { CreateRequest } from '../contract/link-requests.ts'
import type { Capabilities } from '../port/capabilities.ts'
import { failureOf, LinkServiceError, type FailureKind } from '../port/failures.ts'
import type { LinkService } from '../port/link-service.ts'
import { backHalfOf, isSameDestination, type ListedLink } from '../port/links.ts'
import { DAY_MS } from '../timing/days.ts'

/** `lacking`: the service doesn't have it, so the app doesn't offer it. */
interface DriverFinding {
  what: string
  status: 'works' | 'lacking' | 'wrong'
  detail?: string
}

interface CheckedService {
  service: LinkService
  withWrongKey: LinkService
  visit: (shortUrl: string) => Promise<string | undefined>
  pause: () => Promise<void>
  /** Distinguishes the links of this run. It has only small letters and digits, so that it can be a back-half. */
  run: string
}

interface Run extends CheckedService {
  capabilities: Capabilities
  /** The domain record for new links. It is the last one that the service lists. */
  domain: string
  /** The links of this run. The first one has all fields and the back-half `${run}full`. */
  created: ListedLink[]
  count: number
}

interface DriverCheck {
  what: string
  isOffered?: (capabilities: Capabilities) => boolean
  /**
   * If the check returns a string, the report shows it. Without a check, it only says whether the service offers this.
   */
  check?: (run: Run) => Promise<unknown>
}

const MAX_LOOKS = 20

class WrongBehavior extends Error {}

const CHECKS: readonly DriverCheck[] = [
  {
    what: 'Refuses a wrong key',
    check: ({ withWrongKey }) =>
      expectFailure('unauthorized', () => withWrongKey.list({ per_page: 1 })),
  },
  { what: 'Lists its domains', isOffered: ({ domains }) => domains, check: listDomains },
  { what: 'Creates a link with all fields that it takes', check: createWithAllFields },
  { what: 'Has custom previews', isOffered: ({ fields }) => fields.includes('preview_title') },
  { what: 'Has tags', isOffered: ({ fields }) => fields.includes('tags') },
  {
    what: 'Says that a back-half is taken',
    check: (run) =>
      expectFailure('back_half_taken', () => create(run, { back_half: `${run.run}full` })),
  },
  { what: 'Treats a destination that has a link as declared', check: createForUsedDestination },
  { what: 'Lists every link once', check: listAll },
  { what: 'Searches', isOffered: ({ search }) => search, check: search },
  { what: 'Reads a single link', isOffered: ({ get }) => get, check: readLink },
  { what: 'Changes a link', isOffered: ({ update }) => update, check: changeLink },
  { what: 'Counts clicks', isOffered: ({ clicks }) => clicks, check: countClicks },
  {
    what: 'Deletes links',
    isOffered: (capabilities) => capabilities.delete,
    async check({ service, created }) {
      for (const { name } of created.splice(0)) await service.remove?.(name)
    },
  },
]

/**
 * Checks a driver with a real service, such as Kutt: creates, lists, changes and deletes links, and says what works.
 */
export async function checkDriver(checked: CheckedService): Promise<DriverFinding[]> {
  const capabilities = await checked.service.readCapabilities()
  if (!capabilities) return [{ what: 'Reading what the service can do', status: 'wrong' }]
  const run: Run = { ...checked, capabilities, domain: '', created: [], count: 0 }
  const findings: DriverFinding[] = []
  for (const check of CHECKS) findings.push(await runCheck(check, run))
  if (run.created.length > 0) {
    const detail = run.created.map(({ shortlink_url }) => shortlink_url).join(', ')
    findings.push({ what: 'Links that stay', status: 'lacking', detail })
  }
  return findings
}

async function runCheck({ what, isOffered, check }: DriverCheck, run: Run): Promise<DriverFinding> {
  if (isOffered && !isOffered(run.capabilities)) return { what, status: 'lacking' }
  try {
    const detail = await check?.(run)
    return { what, status: 'works', ...(typeof detail === 'string' && { detail }) }
  } catch (error) {
    if (!(error instanceof WrongBehavior || error instanceof LinkServiceError)) throw error
    return { what, status: 'wrong', detail: error.message }
  }
}

function expect(condition: unknown, found: string): asserts condition {
  if (!condition) throw new WrongBehavior(found)
}

async function expectFailure(kind: FailureKind, work: () => Promise<unknown>): Promise<void> {
  const error = await work().catch((thrown: unknown) => thrown)
  const found = error instanceof LinkServiceError ? error.failure.kind : 'success'
  expect(found === kind, `The failure should be “${kind}” but is “${found}”.`)
}

function newDestination(run: Run): string {
  return `https://example.com/${run.run}/${++run.count}?a=1&b=two%20words`
}

async function create(
  run: Run,
  given: Partial<CreateRequest> = {},
  allowsDuplicate = false,
): Promise<ListedLink> {
  const request = { destination_url: newDestination(run), domain: run.domain, ...given }
  const idempotencyKey = `${run.run}-${++run.count}`
  const link = await run.service.create(request, { idempotencyKey, allowsDuplicate })
  run.created.push(link)
  return link
}

function firstLink({ created: [link] }: Run): ListedLink {
  expect(link, 'There is no link.')
  return link
}

async function listDomains(run: Run): Promise<string> {
  const { domains = [] } = (await run.service.listDomains?.()) ?? {}
  run.domain = domains.at(-1)?.name ?? ''
  expect(run.domain, 'There is no domain.')
  return domains.map(({ domain_name }) => domain_name).join(', ')
}

function fullRequest({ run, domain, capabilities: { fields } }: Run): CreateRequest {
  return {
    destination_url: `https://example.com/${run}/full?a=1&b=two%20words`,
    domain,
    back_half: `${run}full`,
    ...(fields.includes('title') && { title: `Title of ${run}` }),
    ...(fields.includes('expires_at') && {
      expires_at: new Date(Date.now() + 30 * DAY_MS).toISOString(),
    }),
    ...(fields.includes('utm_source') && {
      utm_analytics_enabled: true,
      utm_source: 'news letter',
      utm_campaign: `${run}+a`,
    }),
  }
}

async function createWithAllFields(run: Run): Promise<string> {
  const full = fullRequest(run)
  const link = await create(run, full)
  expect(isSameDestination(link.destination_url, full.destination_url), link.destination_url)
  expect(backHalfOf(link) === full.back_half, `The back-half is ${backHalfOf(link)}.`)
  expect(link.title === undefined || link.title === full.title, `The title is ${link.title}.`)
  for (const name of UTM_PARAMETERS) {
    const value = link[name]
    expect(value === undefined || value === full[name], `${name} is ${String(value)}.`)
  }
  const target = new URL((await run.visit(link.shortlink_url)) ?? 'about:blank')
  expect(target.href.startsWith(`https://example.com/${run.run}/`), `It leads to ${target.href}.`)
  if (full.utm_source) {
    expect(target.searchParams.get('utm_source') === full.utm_source, 'utm_source is missing.')
    expect(target.searchParams.get('utm_campaign') === full.utm_campaign, 'utm_campaign differs.')
  }
  return link.shortlink_url
}

async function createForUsedDestination(run: Run): Promise<string> {
  const { usedDestination } = run.capabilities
  const again = { ...fullRequest(run), back_half: undefined }
  const first = firstLink(run).shortlink_url
  if (usedDestination !== 'allowed') {
    const error = await create(run, again).catch((thrown: unknown) => thrown)
    const found = failureOf(error, 'duplicate')?.link?.shortlink_url
    expect(found === first, `The existing link is not shown (${String(found)}).`)
  }
  if (usedDestination !== 'refused') {
    const other = await create(run, again, true)
    expect(other.shortlink_url !== first, 'There is no second link.')
  }
  return usedDestination
}

async function listAll(run: Run): Promise<string> {
  const { service, created } = run
  for (let more = 0; more < 5; more++) await create(run)
  const seen: string[] = []
  for (let page = 1, hasNext = true; hasNext && page <= 100; page++) {
    const read = await service.list({ page, per_page: 3 })
    seen.push(...read.links.map(({ name }) => name))
    hasNext = read.hasNext
  }
  // A service might not order links of the same second, so pages can repeat some and skip others. One large page has
  // all.
  const { links } = await service.list({ per_page: 100 })
  const all = new Set([...seen, ...links.map(({ name }) => name)])
  const missing = created.filter(({ name }) => !all.has(name)).length
  expect(seen.length >= created.length && missing === 0, `${missing} are on no page.`)
  return `${seen.length} links`
}

async function search(run: Run): Promise<void> {
  const { name } = firstLink(run)
  const { links } = await run.service.list({ q: `${run.run}full` })
  const isFound = links.some((link) => link.name === name)
  expect(isFound, 'The link is not found.')
}

async function readLink(run: Run): Promise<void> {
  const { service } = run
  const { name, shortlink_url } = firstLink(run)
  const read = await service.get?.(name)
  expect(read?.link.shortlink_url === shortlink_url, 'It is another link.')
  for (const unknown of [`${run.run}gone`, '..']) {
    await expectFailure('gone', async () => service.get?.(unknown))
  }
}

async function changeLink(run: Run): Promise<string> {
  const { service, capabilities } = run
  const { name } = firstLink(run)
  const read = await service.get?.(name)
  const title = `Changed ${run.run}`
  const changed = await service.update?.(name, { title }, { etag: read?.etag })
  expect(changed?.link.title === title, 'The title is not changed.')
  for (const field of [...UTM_PARAMETERS, 'destination_url', 'expires_at'] as const) {
    const before = read?.link[field]
    const after = changed.link[field]
    expect(before === after, `${field} changed from ${String(before)} to ${String(after)}.`)
  }
  const moved = { destination_url: newDestination(run) }
  const target = (await service.update?.(name, moved))?.link.destination_url ?? 'about:blank'
  expect(isSameDestination(target, moved.destination_url), `The destination is ${target}.`)
  await service.update?.(name, { title })
  if (read?.etag !== undefined) {
    await expectFailure('changed', async () => service.update?.(name, { title: 'x' }, read))
  }
  return capabilities.editable.join(', ')
}

async function countClicks(run: Run): Promise<void> {
  const { name, shortlink_url } = await create(run)
  for (let visits = 0; visits < 3; visits++) await run.visit(shortlink_url)
  let total = 0
  for (let look = 0; look < MAX_LOOKS && total < 3; look++) {
    total = (await run.service.clicks?.(name))?.total_people ?? 0
    if (total < 3) await run.pause()
  }
  expect(total === 3, `It counted ${total} of 3 clicks.`)
}
