import type { Capabilities } from '../../port/capabilities.ts'
import { failureOf } from '../../port/failures.ts'
import { listPage, type LinkQuery } from '../../port/link-service.ts'
import { timeOf, type LinkDetails } from '../../port/links.ts'
import { createOperation } from '../../port/operation.ts'
import { nameKey, tagKey } from '../../contract/tags.ts'
import type { Report, ReportQuery } from '../../contract/report.ts'
import type { Clock } from '../../timing/clock.ts'
import { DAY_MS, dayOf, daysUntil } from '../../timing/days.ts'
import { inParallel } from '../../timing/in-parallel.ts'
import type { Alert, AlertSubject, StoredAlert } from '../../workspaces/alerts.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { WorkspaceLinkService } from '../links/links.ts'
import { countsClicks, isOffered } from './conditions.ts'
import { changedAt, REMEMBERED_LINKS, type Figures, type Seen } from './evaluate.ts'

const READ_WITHIN_MS = 60_000
const PER_PAGE = 100
const MAX_PAGES = REMEMBERED_LINKS / PER_PAGE
const MAX_SUM_PAGES = 10
const CLICK_DAYS = 31
const TOTAL_DAYS = 366

const MAX_MISSING = 20
const CONCURRENCY = 4

/** Reads what the alerts of a workspace need. What several alerts need is read only once. */
export interface LinkReader {
  /** @returns undefined if the service doesn't show clicks */
  figures(alert: Alert): Promise<Figures | undefined>
  link(name: string): Promise<LinkDetails>
  /**
   * @returns undefined if the service doesn't show what the alert needs
   * @throws failure `gone` if the alert's link was deleted
   */
  read(stored: StoredAlert): Promise<Seen | undefined>
}

type IsEnough = (links: readonly LinkDetails[], total: number | undefined) => boolean

export function createLinkReader(
  { linkService, clock }: { linkService: WorkspaceLinkService; clock: Clock },
  workspace: Workspace,
  capabilities: Capabilities,
): LinkReader {
  const operation = createOperation({ clock, deadlineMs: READ_WITHIN_MS })
  const options = { operation }
  const reads = new Map<string, Promise<unknown>>()
  function readOnce<T>(key: string, read: () => Promise<T>): Promise<T> {
    const reading = (reads.get(key) as Promise<T> | undefined) ?? read()
    reads.set(key, reading)
    return reading
  }

  async function readPages(query: LinkQuery, maxPages: number, isEnough?: IsEnough) {
    const links: LinkDetails[] = []
    for (let page = 1; ; page++) {
      const pageQuery = { ...query, page, per_page: PER_PAGE }
      const read = await readOnce(`list ${JSON.stringify(pageQuery)}`, () =>
        listPage((listed) => linkService.list(workspace, listed, options), pageQuery),
      )
      links.push(...read.links)
      if (!read.hasNext || page >= maxPages || isEnough?.(links, read.totalItems)) {
        return { links, isComplete: !read.hasNext, total: read.totalItems }
      }
    }
  }

  const readLink = (name: string): Promise<LinkDetails> =>
    readOnce(`link ${name}`, async () => (await linkService.get(workspace, name, options)).link)

  const newestFirst: LinkQuery = {
    sort_by: capabilities.sorts.includes('updated_at') ? 'updated_at' : 'most_recent',
    order: 'desc',
  }
  const tagQuery = (about: AlertSubject): LinkQuery =>
    about.kind === 'tag' && capabilities.tagFilter ? { tag: [about.name] } : {}

  const newestLinks = (about: AlertSubject, maxPages: number, isEnough?: IsEnough) =>
    readPages({ ...newestFirst, ...tagQuery(about) }, maxPages, isEnough)

  const report = (query: Partial<ReportQuery>): Promise<Report> =>
    readOnce(`report ${JSON.stringify(query)}`, () => linkService.report(workspace, query, options))

  async function figures({ about, condition }: Alert): Promise<Figures | undefined> {
    const isTotal = condition === 'reaches'
    const isLink = about.kind === 'link'
    if (isLink && capabilities.clicks) {
      const clicks = await readOnce(`clicks ${about.name}`, () =>
        linkService.clicks(workspace, about.name, options),
      )
      return { days: clicks.days.map(({ people }) => people), total: clicks.all_time_people }
    }
    if (!isLink && capabilities.reports) {
      const { days, total_people, previous_people } = await report({
        ...daysUntil(dayOf(clock.now()), isTotal ? TOTAL_DAYS : CLICK_DAYS),
        ...subjectFilter(about),
        group_by: 'utm_campaign',
        limit: 1,
      })
      const total = total_people + (isTotal ? 0 : previous_people)
      return { days: days.map(({ people }) => people), total }
    }
    const { links } = await newestLinks(about, MAX_SUM_PAGES)
    // If a link was created between the reads of two pages, the last link of the first page is also on the second.
    const byName = new Map(links.filter(isAbout(about)).map((link) => [link.name, link]))
    const counts = [...byName.values()].flatMap(({ clicks }) => clicks ?? [])
    // The link wasn't found, or the service has links, but without counts.
    if (counts.length === 0 && (isLink || links.length > 0)) return undefined
    return { total: counts.reduce((sum, count) => sum + count, 0) }
  }

  async function findDeleted(names: readonly string[]): Promise<string[]> {
    const deleted = await inParallel(names.slice(-MAX_MISSING), CONCURRENCY, (name) =>
      readLink(name).then(
        () => [],
        (error: unknown) => {
          if (failureOf(error, 'gone')) return [name]
          throw error
        },
      ),
    )
    return deleted.flat()
  }

  /** Reads the links that have changed since the last check, the latest first, and finds the ones that were deleted. */
  async function readChanges({ alert: { about }, memory }: StoredAlert): Promise<Seen> {
    const { seen, newest, total: totalBefore } = memory
    // If links were deleted since the last check, there are fewer than before and those created since.
    const isAnyDeleted = (links: readonly LinkDetails[], total: number | undefined): boolean => {
      const created = links.filter((link) => timeOf(link.created_at) > newest).length
      return total !== undefined && totalBefore !== undefined && total < totalBefore + created
    }
    const isEnough: IsEnough = (links, total) => {
      const last = links.at(-1)
      const reachesLastCheck = last !== undefined && changedAt(last) < newest
      return seen !== undefined && reachesLastCheck && !isAnyDeleted(links, total)
    }
    const { links, isComplete, total } = await newestLinks(about, MAX_PAGES, isEnough)
    const names = new Set(links.map(({ name }) => name))
    const missing = (seen ?? []).map(([name]) => name).filter((name) => !names.has(name))
    const mayBeDeleted = total === undefined ? isComplete : isAnyDeleted(links, total)
    let deleted: readonly string[] = []
    if (mayBeDeleted && capabilities.get) deleted = await findDeleted(missing)
    else if (mayBeDeleted && isComplete) deleted = missing
    return {
      links: links.filter(isAbout(about)),
      deleted,
      total,
      newest: Math.max(0, ...links.map(changedAt)),
    }
  }

  return {
    figures,
    link: readLink,
    async read(stored) {
      const { about, condition, number = 0 } = stored.alert
      if (countsClicks(stored.alert)) {
        const read = await figures(stored.alert)
        return read && { figures: read }
      }
      if (!isOffered(condition, capabilities, about.kind)) return undefined
      if (about.kind === 'link') {
        const link = await readLink(about.name)
        return { links: [link], newest: changedAt(link) }
      }
      if (condition === 'changes') return readChanges(stored)
      const before = new Date(clock.now() + number * DAY_MS).toISOString()
      const query: LinkQuery = condition === 'dead' ? { state: 'dead' } : { expires_before: before }
      const { links } =
        condition === 'dead' || capabilities.expiresBefore
          ? await readPages({ ...query, ...tagQuery(about) }, MAX_SUM_PAGES)
          : await newestLinks(about, MAX_PAGES)
      return { links: links.filter(isAbout(about)) }
    },
  }
}

export function subjectFilter(about: AlertSubject): Partial<ReportQuery> {
  if (about.kind === 'tag') return { tag: [about.name] }
  return about.kind === 'campaign' ? { utm_campaign: about.name } : {}
}

function isAbout(about: AlertSubject): (link: LinkDetails) => boolean {
  switch (about.kind) {
    case 'all':
      return () => true
    case 'link':
      return ({ name }) => name === about.name
    case 'tag':
      return ({ tags = [] }) => tags.some((tag) => tagKey(tag) === tagKey(about.name))
    case 'campaign':
      return ({ utm_campaign: campaign = '' }) => nameKey(campaign) === nameKey(about.name)
  }
}
