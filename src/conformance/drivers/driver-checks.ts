import { UTM_PARAMETERS } from '../../contract/link-fields.ts'
import type { Capabilities } from '../../port/capabilities.ts'
import { failureOf, LinkServiceError } from '../../port/failures.ts'
import { backHalfOf, isSameDestination } from '../../port/links.ts'
import {
  createLink,
  expect,
  expectFailure,
  firstLink,
  fullRequest,
  newDestination,
  WrongBehavior,
  type DriverRun,
  type TestedDriver,
} from './driver-run.ts'

interface DriverFinding {
  what: string
  // `lacking` means that the service doesn't have this, so the app doesn't offer it.
  status: 'works' | 'lacking' | 'wrong'
  detail?: string
}

interface DriverCheck {
  what: string
  isOffered?: (capabilities: Capabilities) => boolean
  // If it returns a string, the report shows the string. If it is missing, the report says only what is offered.
  check?: (run: DriverRun) => Promise<unknown>
}

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
      expectFailure('back_half_taken', () => createLink(run, { back_half: `${run.runId}full` })),
  },
  { what: 'Handles a second link to a destination as declared', check: createForUsedDestination },
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

export async function checkDriver(driver: TestedDriver): Promise<DriverFinding[]> {
  const capabilities = await driver.service.readCapabilities()
  if (!capabilities) return [{ what: 'Reading what the service can do', status: 'wrong' }]
  const run: DriverRun = { ...driver, capabilities, domain: '', created: [] }
  const findings: DriverFinding[] = []
  for (const check of CHECKS) findings.push(await runCheck(check, run))
  if (run.created.length > 0) {
    const detail = run.created.map(({ shortlink_url }) => shortlink_url).join(', ')
    findings.push({ what: 'Links that stay', status: 'lacking', detail })
  }
  return findings
}

async function runCheck(
  { what, isOffered, check }: DriverCheck,
  run: DriverRun,
): Promise<DriverFinding> {
  if (isOffered && !isOffered(run.capabilities)) return { what, status: 'lacking' }
  try {
    const detail = await check?.(run)
    return { what, status: 'works', ...(typeof detail === 'string' && { detail }) }
  } catch (error) {
    if (!(error instanceof WrongBehavior || error instanceof LinkServiceError)) throw error
    return { what, status: 'wrong', detail: error.message }
  }
}

async function listDomains(run: DriverRun): Promise<string> {
  const { domains = [] } = (await run.service.listDomains?.()) ?? {}
  run.domain = domains.at(-1)?.name ?? ''
  expect(run.domain, 'There is no domain.')
  return domains.map(({ domain_name }) => domain_name).join(', ')
}

async function createWithAllFields(run: DriverRun): Promise<string> {
  const full = fullRequest(run)
  const link = await createLink(run, full)
  expect(isSameDestination(link.destination_url, full.destination_url), link.destination_url)
  expect(backHalfOf(link) === full.back_half, `The back-half is ${backHalfOf(link)}.`)
  expect(link.title === undefined || link.title === full.title, `The title is ${link.title}.`)
  for (const name of UTM_PARAMETERS) {
    const value = link[name]
    expect(value === undefined || value === full[name], `${name} is ${String(value)}.`)
  }
  const target = new URL((await run.visit(link.shortlink_url)) ?? 'about:blank')
  expect(target.href.startsWith(`https://example.com/${run.runId}/`), `It leads to ${target.href}.`)
  if (full.utm_source) {
    expect(target.searchParams.get('utm_source') === full.utm_source, 'utm_source is missing.')
    expect(target.searchParams.get('utm_campaign') === full.utm_campaign, 'utm_campaign differs.')
  }
  return link.shortlink_url
}

async function createForUsedDestination(run: DriverRun): Promise<string> {
  const { usedDestination } = run.capabilities
  const repeatedRequest = { ...fullRequest(run), back_half: undefined }
  const first = firstLink(run).shortlink_url
  if (usedDestination !== 'allowed') {
    const error = await createLink(run, repeatedRequest).catch((thrown: unknown) => thrown)
    const existing = failureOf(error, 'duplicate')?.link?.shortlink_url
    expect(existing === first, `The existing link is not shown (${String(existing)}).`)
  }
  if (usedDestination !== 'refused') {
    const other = await createLink(run, repeatedRequest, true)
    expect(other.shortlink_url !== first, 'There is no second link.')
  }
  return usedDestination
}

async function listAll(run: DriverRun): Promise<string> {
  const { service, created } = run
  for (let count = 0; count < 5; count++) await createLink(run)
  const pagedNames: string[] = []
  let hasNext = true
  for (let page = 1; hasNext && page <= 100; page++) {
    const response = await service.list({ page, per_page: 3 })
    pagedNames.push(...response.links.map(({ name }) => name))
    hasNext = response.hasNext
  }
  // A service might sort links of the same second differently each time, so that small pages repeat some links and skip
  // others. One large page has all links.
  const { links } = await service.list({ per_page: 100 })
  const names = new Set([...pagedNames, ...links.map(({ name }) => name)])
  const missing = created.filter(({ name }) => !names.has(name)).length
  expect(missing === 0, `${missing} links are on no page.`)
  expect(pagedNames.length >= created.length, 'There are too few links on the pages.')
  return `${pagedNames.length} links`
}

async function search(run: DriverRun): Promise<void> {
  const { name } = firstLink(run)
  const { links } = await run.service.list({ q: `${run.runId}full` })
  const isFound = links.some((link) => link.name === name)
  expect(isFound, 'The link is not found.')
}

async function readLink(run: DriverRun): Promise<void> {
  const { service } = run
  const { name, shortlink_url } = firstLink(run)
  const read = await service.get?.(name)
  expect(read?.link.shortlink_url === shortlink_url, 'The response shows another link.')
  for (const unknown of [`${run.runId}gone`, '..']) {
    await expectFailure('gone', async () => service.get?.(unknown))
  }
}

async function changeLink(run: DriverRun): Promise<string> {
  const { service, capabilities } = run
  const { name } = firstLink(run)
  const read = await service.get?.(name)
  const title = `Changed ${run.runId}`
  const changed = await service.update?.(name, { title }, { etag: read?.etag })
  expect(changed?.link.title === title, 'The title is not changed.')
  for (const field of [...UTM_PARAMETERS, 'destination_url', 'expires_at'] as const) {
    const before = read?.link[field]
    const after = changed.link[field]
    expect(before === after, `${field} changed from ${String(before)} to ${String(after)}.`)
  }
  const destination_url = newDestination(run)
  const moved = await service.update?.(name, { destination_url })
  const target = moved?.link.destination_url ?? 'about:blank'
  expect(isSameDestination(target, destination_url), `The destination is ${target}.`)
  await service.update?.(name, { title })
  if (read?.etag !== undefined) {
    await expectFailure('changed', async () => service.update?.(name, { title: 'x' }, read))
  }
  return capabilities.editable.join(', ')
}

const MAX_POLLS = 20

async function countClicks(run: DriverRun): Promise<void> {
  const { name, shortlink_url } = await createLink(run)
  for (let visits = 0; visits < 3; visits++) await run.visit(shortlink_url)
  let total = 0
  for (let polls = 0; polls < MAX_POLLS && total < 3; polls++) {
    total = (await run.service.clicks?.(name))?.total_people ?? 0
    if (total < 3) await run.pause()
  }
  expect(total === 3, `It counted ${total} of 3 clicks.`)
}
