import { UTM_PARAMETERS } from '../contract/link-fields.ts'
import type { CreateRequest } from '../contract/link-requests.ts'
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

const MAX_LOOKS = 20

class WrongBehavior extends Error {}

function expect(condition: unknown, found: string): asserts condition {
  if (!condition) throw new WrongBehavior(found)
}

export async function checkDriver(checked: CheckedService): Promise<DriverFinding[]> {
  const { service, withWrongKey, visit, pause, run } = checked
  const findings: DriverFinding[] = []
  const created: ListedLink[] = []
  const capabilities = await service.readCapabilities()
  if (!capabilities) return [{ what: 'Reading what the service can do', status: 'wrong' }]
  const { fields, editable, usedDestination } = capabilities
  let count = 0
  const destination = (): string => `https://example.com/${run}/${++count}?a=1&b=two%20words`

  async function check(what: string, isOffered: boolean, work: () => Promise<unknown>) {
    if (!isOffered) return void findings.push({ what, status: 'lacking' })
    try {
      const detail = await work()
      findings.push({ what, status: 'works', ...(typeof detail === 'string' && { detail }) })
    } catch (error) {
      if (!(error instanceof WrongBehavior || error instanceof LinkServiceError)) throw error
      findings.push({ what, status: 'wrong', detail: error.message })
    }
  }

  async function create(request: CreateRequest, allowsDuplicate = false): Promise<ListedLink> {
    const idempotencyKey = `${run}-${++count}`
    const link = await service.create(request, { idempotencyKey, allowsDuplicate })
    created.push(link)
    return link
  }

  async function expectFailure(kind: FailureKind, work: () => Promise<unknown>): Promise<void> {
    const error = await work().catch((thrown: unknown) => thrown)
    if (failureOf(error, kind)) return
    const found = error instanceof LinkServiceError ? error.failure.kind : 'success'
    throw new WrongBehavior(`The failure should be “${kind}” but is “${found}”.`)
  }

  await check('Refuses a wrong key', true, async () => {
    await expectFailure('unauthorized', () => withWrongKey.list({ per_page: 1 }))
  })

  let domain = ''
  await check('Lists its domains', capabilities.domains, async () => {
    const { domains = [] } = (await service.listDomains?.()) ?? {}
    domain = domains.at(-1)?.name ?? ''
    expect(domain, 'There is no domain.')
    return domains.map(({ domain_name }) => domain_name).join(', ')
  })

  const full: CreateRequest = {
    destination_url: destination(),
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
  await check('Creates a link with all fields that it takes', true, async () => {
    const link = await create(full)
    expect(isSameDestination(link.destination_url, full.destination_url), link.destination_url)
    expect(backHalfOf(link) === full.back_half, `The back-half is ${backHalfOf(link)}.`)
    expect(link.title === undefined || link.title === full.title, `The title is ${link.title}.`)
    for (const name of UTM_PARAMETERS) {
      const value = link[name]
      expect(value === undefined || value === full[name], `${name} is ${String(value)}.`)
    }
    const target = new URL((await visit(link.shortlink_url)) ?? 'about:blank')
    expect(target.href.startsWith(`https://example.com/${run}/`), `It leads to ${target.href}.`)
    if (full.utm_source) {
      expect(target.searchParams.get('utm_source') === full.utm_source, 'utm_source is missing.')
      expect(target.searchParams.get('utm_campaign') === full.utm_campaign, 'utm_campaign differs.')
    }
    return link.shortlink_url
  })

  await check('Has custom previews', fields.includes('preview_title'), async () => {})
  await check('Has tags', fields.includes('tags'), async () => {})

  await check('Says that a back-half is taken', true, async () => {
    const again = { destination_url: destination(), domain, back_half: full.back_half }
    await expectFailure('back_half_taken', () => create(again))
  })

  await check('Treats a destination that has a link as declared', true, async () => {
    const { back_half: _taken, ...again } = full
    const first = created[0]
    if (usedDestination !== 'allowed') {
      const error = await create(again).catch((thrown: unknown) => thrown)
      const found = failureOf(error, 'duplicate')?.link?.shortlink_url
      expect(found === first?.shortlink_url, `The existing link is not shown (${String(found)}).`)
    }
    if (usedDestination !== 'refused') {
      const other = await create(again, true)
      expect(other.shortlink_url !== first?.shortlink_url, 'There is no second link.')
    }
    return usedDestination
  })

  await check('Lists every link once', true, async () => {
    for (let more = 0; more < 5; more++) await create({ destination_url: destination(), domain })
    const seen: string[] = []
    for (let page = 1, hasNext = true; hasNext && page <= 100; page++) {
      const read = await service.list({ page, per_page: 3 })
      seen.push(...read.links.map(({ name }) => name))
      hasNext = read.hasNext
    }
    // Links of the same second might have no order, so that pages repeat some and skip others.
    const { links } = await service.list({ per_page: 100 })
    const all = new Set([...seen, ...links.map(({ name }) => name)])
    const missing = created.filter(({ name }) => !all.has(name))
    expect(
      seen.length >= created.length && missing.length === 0,
      `${missing.length} are on no page.`,
    )
    return `${seen.length} links`
  })

  await check('Searches', capabilities.search, async () => {
    const { links } = await service.list({ q: `${run}full` })
    expect(
      links.some(({ name }) => name === created[0]?.name),
      'The link is not found.',
    )
  })

  await check('Reads a single link', capabilities.get, async () => {
    const [link] = created
    const read = await service.get?.(link?.name ?? '')
    expect(read?.link.shortlink_url === link?.shortlink_url, 'It is another link.')
    for (const unknown of [`${run}gone`, '..']) {
      await expectFailure('gone', async () => service.get?.(unknown))
    }
  })

  await check('Changes a link', capabilities.update, async () => {
    const [link] = created
    const name = link?.name ?? ''
    const read = await service.get?.(name)
    const title = `Changed ${run}`
    const changed = await service.update?.(name, { title }, { etag: read?.etag })
    expect(changed?.link.title === title, 'The title is not changed.')
    for (const field of [...UTM_PARAMETERS, 'destination_url', 'expires_at'] as const) {
      const before = read?.link[field]
      const after = changed.link[field]
      expect(before === after, `${field} changed from ${String(before)} to ${String(after)}.`)
    }
    const moved = { destination_url: destination() }
    const target = (await service.update?.(name, moved))?.link.destination_url ?? 'about:blank'
    expect(isSameDestination(target, moved.destination_url), `The destination is ${target}.`)
    await service.update?.(name, { title })
    if (read?.etag !== undefined) {
      await expectFailure('changed', async () => service.update?.(name, { title: 'x' }, read))
    }
    return editable.join(', ')
  })

  await check('Counts clicks', capabilities.clicks, async () => {
    const link = await create({ destination_url: destination(), domain })
    for (let visits = 0; visits < 3; visits++) await visit(link.shortlink_url)
    let total = 0
    for (let look = 0; look < MAX_LOOKS && total < 3; look++) {
      total = (await service.clicks?.(link.name))?.total_people ?? 0
      if (total < 3) await pause()
    }
    expect(total === 3, `It counted ${total} of 3 clicks.`)
  })

  await check('Deletes links', capabilities.delete, async () => {
    for (const { name } of created.splice(0)) await service.remove?.(name)
  })
  if (created.length > 0) {
    const detail = created.map(({ shortlink_url }) => shortlink_url).join(', ')
    findings.push({ what: 'Links that stay', status: 'lacking', detail })
  }
  return findings
}
