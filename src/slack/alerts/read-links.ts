import type { Capabilities } from '../../port/capabilities.ts'
import { failureOf } from '../../port/failures.ts'
import type { LinkQuery } from '../../port/link-service.ts'
import { timeOf, type LinkDetails, type LinkPage } from '../../port/links.ts'
import { isQueryRefused } from '../../port/newest-links.ts'
import { createOperation } from '../../port/operation.ts'
import { nameKey, tagKey } from '../../contract/tags.ts'
import type { Report, ReportQuery } from '../../contract/report.ts'
import type { Clock } from '../../timing/clock.ts'
import { DAY_MS, dayOf, daysUntil } from '../../timing/days.ts'
import { inParallel } from '../../timing/in-parallel.ts'
import type { AlertSubject, StoredAlert } from '../../workspaces/alerts.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { WorkspaceLinkService } from '../links/workspace-link-service.ts'
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

/** Reads what the alerts of a workspace need from the link service. What several alerts need is read only once. */
export interface LinkReader {
  figures(about: AlertSubject, isTotal: boolean): Promise<Figures | undefined>
  single(name: string): Promise<LinkDetails>
  /**
   * Returns undefined if the service doesn't show what the alert needs. @throws failure `gone` if its link was deleted
   */
  read(stored: StoredAlert): Promise<Seen | undefined>
}

export function createLinkReader(
  { linkService, clock }: { linkService: WorkspaceLinkService; clock: Clock },
  workspace: Workspace,
  capabilities: Capabilities,
): LinkReader {
  const operation = createOperation({ clock, deadlineMs: READ_WITHIN_MS })
  const options = { operation }
  const reads = new Map<string, Promise<unknown>>()
  function once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const reading = (reads.get(key) as Promise<T> | undefined) ?? read()
    reads.set(key, reading)
    return reading
  }

  /** If the service allows only smaller pages, asks for ten links instead. */
  const list = (query: LinkQuery): Promise<LinkPage> =>
    linkService.list(workspace, query, options).catch((error: unknown) => {
      if (!isQueryRefused(error)) throw error
      return linkService.list(workspace, { ...query, per_page: 10 }, options)
    })

  async function pages(
    query: LinkQuery,
    max: number,
    isEnough?: (links: readonly LinkDetails[], total: number | undefined) => boolean,
  ) {
    const links: LinkDetails[] = []
    for (let page = 1; ; page++) {
      const asked = { ...query, page, per_page: PER_PAGE }
      const read = await once(`list ${JSON.stringify(asked)}`, () => list(asked))
      links.push(...read.links)
      if (!read.hasNext || page >= max || isEnough?.(links, read.totalItems)) {
        return { links, isComplete: !read.hasNext, total: read.totalItems }
      }
    }
  }

  const single = (name: string): Promise<LinkDetails> =>
    once(`link ${name}`, async () => (await linkService.get(workspace, name, options)).link)

  const newestFirst: LinkQuery = {
    sort_by: capabilities.sorts.includes('updated_at') ? 'updated_at' : 'most_recent',
    order: 'desc',
  }
  const tagged = (about: AlertSubject): LinkQuery =>
    about.kind === 'tag' && capabilities.tagFilter ? { tag: [about.name] } : {}

  const newestLinks = (about: AlertSubject, max: number, isEnough?: Parameters<typeof pages>[2]) =>
    pages({ ...newestFirst, ...tagged(about) }, max, isEnough)

  const report = (query: Partial<ReportQuery>): Promise<Report> =>
    once(`report ${JSON.stringify(query)}`, () => linkService.report(workspace, query, options))

  async function figures(about: AlertSubject, isTotal: boolean): Promise<Figures | undefined> {
    if (about.kind === 'link') {
      if (!capabilities.clicks) {
        const { links } = await newestLinks(about, MAX_SUM_PAGES)
        const total = links.find(({ name }) => name === about.name)?.clicks
        return total === undefined ? undefined : { total }
      }
      const clicks = await once(`clicks ${about.name}`, () =>
        linkService.clicks(workspace, about.name, options),
      )
      return { days: clicks.days.map(({ people }) => people), total: clicks.all_time_people }
    }
    if (capabilities.reports) {
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
    const counts = links.filter(isAbout(about)).flatMap(({ clicks }) => clicks ?? [])
    if (counts.length === 0 && links.length > 0) return undefined
    return { total: counts.reduce((sum, count) => sum + count, 0) }
  }

  async function findGone(names: readonly string[]): Promise<string[]> {
    const gone = await inParallel(names.slice(-MAX_MISSING), CONCURRENCY, (name) =>
      single(name).then(
        () => [],
        (error: unknown) => {
          if (failureOf(error, 'gone')) return [name]
          throw error
        },
      ),
    )
    return gone.flat()
  }

  async function readChanges({ alert: { about }, memory }: StoredAlert): Promise<Seen> {
    const { seen, newest, total: before } = memory
    /** True if links were deleted since the last check: there are fewer than at that time, plus those created since. */
    const isAnyMissing = (read: readonly LinkDetails[], total: number | undefined): boolean => {
      const created = read.filter((link) => timeOf(link.created_at) > newest).length
      return total !== undefined && before !== undefined && total < before + created
    }
    const { links, isComplete, total } = await newestLinks(about, MAX_PAGES, (read, counted) => {
      const last = read.at(-1)
      const isOld = last !== undefined && changedAt(last) < newest
      return seen !== undefined && isOld && !isAnyMissing(read, counted)
    })
    const read = new Set(links.map(({ name }) => name))
    const missing = (seen ?? []).map(([name]) => name).filter((name) => !read.has(name))
    const mayBeDeleted = total === undefined ? isComplete : isAnyMissing(links, total)
    const surelyDeleted = isComplete ? missing : []
    const deleted = !mayBeDeleted ? [] : capabilities.get ? await findGone(missing) : surelyDeleted
    return {
      links: links.filter(isAbout(about)),
      deleted,
      total,
      newest: Math.max(0, ...links.map(changedAt)),
    }
  }

  return {
    figures,
    single,
    async read(stored) {
      const { about, condition, number = 0 } = stored.alert
      if (countsClicks(stored.alert)) {
        const read = await figures(about, condition === 'reaches')
        return read && { figures: read }
      }
      if (!isOffered(condition, capabilities, about.kind)) return undefined
      if (about.kind === 'link') {
        const link = await single(about.name)
        return { links: [link], newest: changedAt(link) }
      }
      if (condition === 'changes') return readChanges(stored)
      const query: LinkQuery =
        condition === 'dead'
          ? { state: 'dead' }
          : { expires_before: new Date(clock.now() + number * DAY_MS).toISOString() }
      const { links } =
        condition === 'dead' || capabilities.expiresBefore
          ? await pages({ ...query, ...tagged(about) }, MAX_SUM_PAGES)
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
