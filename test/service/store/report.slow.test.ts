import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import {
  NAMED_FILTERS,
  type Report,
  REPORT_GROUPS,
  type ReportGroup,
  type ReportQuery,
} from '../../../src/contract/report.ts'
import { nameKey, tagKey } from '../../../src/contract/tags.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { fillNext } from '../../../src/service/store/backfills.ts'
import { deleteLink, updateLink } from '../../../src/service/store/change-link.ts'
import { addDays, type DayRange, daysOf, daysUntil, lengthOf } from '../../../src/timing/days.ts'
import { addClicks, type CountedClicks } from '../../../src/service/store/clicks.ts'
import { createLink } from '../../../src/service/store/create-link.ts'
import { erasePersonFromSome } from '../../../src/service/store/erasure.ts'
import { createLinkWriter } from '../../../src/service/store/link-writer.ts'
import { EMPTY_FIELDS } from '../../../src/service/store/link-values.ts'
import { type LinkReach, type LinkRow, DASHBOARD } from '../../../src/service/store/links.ts'
import { renameTag } from '../../../src/service/store/tags.ts'
import { removeOldClicks } from '../../../src/service/store/nightly-removal.ts'
import { readReport } from '../../../src/service/store/report.ts'
import { describeOnDatabase } from '../../support/databases.ts'
import { propertyRuns } from '../../support/full-run.ts'
import { openDatabase } from '../../support/open-database.ts'
import { addDomainRecord, addOwners, removeLinks } from '../../support/rows.ts'

const OWNERS = ['acme', 'other']
const DOMAINS = ['default', 'second']
const DAYS = ['2026-09-30', '2026-10-01', '2026-10-30', '2026-10-31', '2026-11-01', '2026-11-30']
/** Clicks before it are removed. */
const KEPT_SINCE = '2026-10-31'
const SALE = 'spring-sale'
const addresses = createAddresses('https://sho.rt')

/** What happens to links. `link` is the place of a link in the order of creation. */
type Step =
  | { kind: 'create'; owner: string; domain: string; values: Values; person: string }
  | { kind: 'click'; clicks: { link: number; day: string; people: number; bots: number }[] }
  | { kind: 'change'; link: number; domain: string; values: Values }
  | { kind: 'delete'; link: number }
  | { kind: 'erase'; owner: string; person: string }
  | { kind: 'rename'; owner: string; key: string; name: string | null }
  | { kind: 'remove old clicks' }

type Values = Pick<
  LinkRow,
  'utm_analytics_enabled' | 'utm_campaign' | 'utm_source' | 'utm_medium' | 'tags'
>

const values: fc.Arbitrary<Values> = fc.record({
  utm_analytics_enabled: fc.constantFrom(1, 1, 0),
  utm_campaign: fc.constantFrom(null, 'spring-sale', 'Spring  Sale', 'Größe “ß”'),
  utm_source: fc.constantFrom(null, 'newsletter', 'Newsletter', 'x'),
  utm_medium: fc.constantFrom(null, 'email'),
  tags: fc.constantFrom(null, 'print', 'print,Spring sale', 'a,print,Spring sale'),
})
const link = fc.nat({ max: 30 })
const owner = fc.constantFrom('acme', 'acme', 'other')
const person = fc.constantFrom('', 'T1/U1', 'T1/U2')
const domain = fc.constantFrom(...DOMAINS)
const clicks = fc.array(
  fc.record({
    link,
    day: fc.constantFrom(...DAYS),
    people: fc.nat({ max: 5 }),
    bots: fc.nat({ max: 2 }),
  }),
  { minLength: 1, maxLength: 12 },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('create'), owner, domain, values, person }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('click'), clicks }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change'), link, domain, values }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), link }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase'), owner, person }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rename'),
      owner,
      key: fc.constantFrom('a', 'print', 'spring sale'),
      name: fc.constantFrom(null, 'a', 'b', 'print', 'Spring sale'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove old clicks') }) },
)
const steps = fc.array(step, { minLength: 15, maxLength: 40, size: 'max' })

/** Most reports have no or one filter, so that few are empty. */
const seldom = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

const query: fc.Arbitrary<ReportQuery> = fc.record({
  from: fc.constantFrom('2026-10-01', '2026-10-31', '2026-11-01'),
  to: fc.constantFrom('2026-11-01', '2026-11-29', '2026-11-30'),
  group_by: fc.constantFrom(...REPORT_GROUPS),
  limit: fc.constantFrom(1, 2, 100),
  utm_campaign: seldom(fc.constantFrom('', SALE, 'SPRING_SALE', 'GRÖßE_“ß”', 'spring-sal')),
  utm_source: seldom(fc.constantFrom('', 'newsletter', 'nothing')),
  utm_medium: seldom(fc.constantFrom('', 'email')),
  tag: seldom(fc.constantFrom([], ['PRINT'], ['print', 'spring_sale'], ['unknown', 'a'])),
  domain: seldom(fc.constantFrom('', ...DOMAINS)),
  creator: seldom(fc.constantFrom('', 'T1/U1')),
})

const queries = (count: number) => fc.array(query, { minLength: count, maxLength: count })

/** Fills them in, a few links at a time. */
async function fillSums({ write }: Database): Promise<void> {
  while ((await write(fillNext('click_totals', 3))) !== undefined);
}

/** Makes totals as version 1.0.0 left them. */
const UNDO_SUMS = [
  'delete from segment_clicks',
  'delete from segments',
  `update click_totals set owner_id = '', domain_id = '', segment_id = null`,
  `insert into backfills (name) values ('click_totals')`,
]

describeOnDatabase((opened) => {
  beforeEach(async () => {
    await addOwners(opened.database, ...OWNERS)
    await addDomainRecord(opened.database, 'second')
  })

  test('reports equal the sums of all clicks after any sequence of changes', async () => {
    await fc.assert(
      fc.asyncProperty(steps, queries(8), async (steps, queries) => {
        await removeLinks(opened.database)
        await takeSteps(opened.database, steps)
        await expectTrueReports(opened.database, queries)
      }),
      { numRuns: propertyRuns(15) },
    )
  })

  test('reports are right after an upgrade, whatever is clicked and changed before and while sums are filled in', async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, queries(4), async (before, after, queries) => {
        await removeLinks(opened.database)
        const links = await takeSteps(opened.database, before)
        for (const statement of UNDO_SUMS) await sql.raw(statement).execute(opened.database.db)
        const half = after.length / 2
        await takeStepsTogether(opened.database, after.slice(0, half), links)
        await Promise.all([
          fillSums(opened.database),
          takeStepsTogether(opened.database, after.slice(half), links),
        ])
        // Other clicks are never too old when they are written.
        await removeOldClicks(opened.database, KEPT_SINCE, async () => true)
        await expectTrueReports(opened.database, queries)
      }),
      { numRuns: propertyRuns(10) },
    )
  })

  test('reports are right if clicks and changes come from two processes at once', async () => {
    const other = await openDatabase(opened.url)
    await fc
      .assert(
        fc.asyncProperty(steps, steps, queries(4), async (created, together, queries) => {
          await removeLinks(opened.database)
          const links = await takeSteps(opened.database, created)
          await Promise.all([
            takeStepsTogether(opened.database, together.slice(0, together.length / 2), links),
            takeStepsTogether(other, together.slice(together.length / 2), links),
          ])
          // Other clicks are never too old when they are written.
          await removeOldClicks(opened.database, KEPT_SINCE, async () => true)
          await expectTrueReports(opened.database, queries)
        }),
        { numRuns: propertyRuns(8) },
      )
      .finally(() => other.close())
  })
})

/** @returns all links that were created so far */
async function takeSteps(database: Database, steps: readonly Step[], links: LinkRow[] = []) {
  for (const step of steps) await takeStep(database, step, links)
  return links
}

/** Takes the steps of a process at once, except that it writes clicks one batch after the other. */
async function takeStepsTogether(
  database: Database,
  steps: readonly Step[],
  links: LinkRow[],
): Promise<void> {
  const clicks = steps.filter(({ kind }) => kind === 'click')
  const changes = steps.filter(({ kind }) => kind !== 'click')
  const clicked = takeSteps(database, clicks, links)
  await Promise.all([clicked, ...changes.map((step) => takeStep(database, step, links))])
}

/** @param links those that were created so far */
async function takeStep(database: Database, step: Step, links: LinkRow[]): Promise<void> {
  const [now, announce] = [() => 0, () => undefined]
  const writer = createLinkWriter(database, now, announce)
  const domain = (id: string) => {
    const domain_name = id === 'second' ? 'second.example' : ''
    return { id, domain_name, owner_id: null, created_at: 0 }
  }
  const at = (place: number) => links[place % links.length]
  switch (step.kind) {
    case 'create': {
      const columns = {
        ...EMPTY_FIELDS,
        ...DASHBOARD,
        ...step.values,
        owner_id: step.owner,
        domain_id: step.domain,
        hostname: domain(step.domain).domain_name,
        title: `Link ${links.length}`,
        destination_url: `https://example.com/${links.length}`,
        person_id: step.person || null,
        person_name: step.person && `Person ${links.length}`,
      }
      const link = { columns, maxLinks: null, backHalf: undefined, image: undefined }
      const made = await writer.create(link, createLink)
      if (made.outcome === 'created') links.push(made.link)
      return
    }
    case 'click': {
      const clicked = step.clicks.flatMap(({ link, ...click }): CountedClicks[] => {
        const id = at(link)?.id
        return id === undefined ? [] : [{ link_id: id, ...click }]
      })
      const once = new Map(clicked.map((click) => [`${click.link_id} ${click.day}`, click]))
      await database.write(addClicks([...once.values()]))
      return
    }
    case 'change':
    case 'delete': {
      const link = at(step.link)
      if (!link) return
      const target = { linkId: link.id, ownerId: link.owner_id, creator: DASHBOARD }
      if (step.kind === 'delete') await database.write(deleteLink(target, 1), link.owner_id)
      else {
        const change = { fields: step.values, domain: domain(step.domain) }
        await database.write(updateLink(target, change, 1), link.owner_id)
      }
      return
    }
    case 'erase': {
      while ((await database.write(erasePersonFromSome(step.owner, step.person), step.owner)) > 0)
        continue
      return
    }
    case 'rename': {
      const { owner, key, name } = step
      await database.write(renameTag({ ownerId: owner, key, name }, DASHBOARD, 1), owner)
      return
    }
    case 'remove old clicks':
      await removeOldClicks(database, KEPT_SINCE, async () => true)
  }
}

async function expectTrueReports(
  database: Database,
  queries: readonly ReportQuery[],
): Promise<void> {
  const links = await database.db.selectFrom('links').selectAll().orderBy('id').execute()
  const clicks = await database.db.selectFrom('clicks').selectAll().execute()
  const byLink = Map.groupBy(clicks, ({ link_id }) => link_id)
  const reaches: LinkReach[] = [
    { ownerId: 'acme' },
    { ownerId: 'other' },
    { ownerId: 'acme', domainIds: ['second'] },
    { ownerId: 'acme', domainIds: [] },
  ]
  for (const [number, query] of queries.entries()) {
    const reach = reaches[number % reaches.length] ?? { ownerId: 'acme' }
    const filtered = number % 5 === 4 ? { ...query, link: links[0]?.id ?? 'unknown' } : query
    const report = await readReport({ longReads: database.longReads, addresses }, reach, filtered)
    expect(report, JSON.stringify({ reach, filtered })).toEqual(
      trueReport(reach, filtered, links, byLink),
    )
  }
}

/** The periods before ranges of whole months. */
const MONTHS: Record<string, DayRange> = {
  '2026-10-01 2026-11-30': { from: '2026-08-01', to: '2026-09-30' },
  '2026-11-01 2026-11-30': { from: '2026-10-01', to: '2026-10-31' },
}

/** Computes a report from the clicks of each link. */
function trueReport(
  { ownerId, domainIds }: LinkReach,
  query: ReportQuery,
  links: readonly LinkRow[],
  clicks: ReadonlyMap<string, readonly { day: string; people: number }[]>,
): Report {
  const before =
    MONTHS[`${query.from} ${query.to}`] ?? daysUntil(addDays(query.from, -1), lengthOf(query))
  const spelled = (key: string) => (key === 'spring sale' ? 'Spring sale' : key)
  const valuesOf = (link: LinkRow): Record<ReportGroup, readonly string[]> => {
    const utm = (name: 'utm_campaign' | 'utm_source' | 'utm_medium') => [
      (link.utm_analytics_enabled === 1 && link[name]) || '',
    ]
    return {
      utm_campaign: utm('utm_campaign'),
      utm_source: utm('utm_source'),
      utm_medium: utm('utm_medium'),
      tag: link.tags?.split(',').map(tagKey) ?? [''],
      domain: [link.domain_id],
      creator: [link.person_id ?? ''],
      link: [link.id],
    }
  }
  const reached = links.filter(
    (link) =>
      link.deleted_at === null &&
      link.owner_id === ownerId &&
      (!domainIds || domainIds.includes(link.domain_id)),
  )
  const keysOf = (link: LinkRow, by: ReportGroup) => valuesOf(link)[by].map(nameKey)
  const counted = reached.filter((link) => {
    const { tag, ...values } = valuesOf(link)
    const tags = query.tag?.map(nameKey)
    if (
      tags &&
      !(tags.length === 0
        ? link.tags === null
        : tags.every((name) => tag.map(nameKey).includes(name)))
    )
      return false
    return Object.entries(values).every(([name, [value = '']]) => {
      const wanted = query[name as keyof typeof values]
      const isUtm = name.startsWith('utm_')
      return wanted === undefined || (isUtm ? nameKey(wanted) === nameKey(value) : wanted === value)
    })
  })
  const unknown = NAMED_FILTERS.flatMap((filter) =>
    [query[filter] ?? []]
      .flat()
      .filter(
        (name) =>
          name !== '' && !reached.some((link) => keysOf(link, filter).includes(nameKey(name))),
      )
      .map((name) => ({
        filter,
        name,
        // Only one name is similar.
        nearest:
          name === 'spring-sal' && reached.some((link) => keysOf(link, filter).includes(SALE))
            ? [expect.stringMatching(/^spring[- ]+sale$/i) as string]
            : [],
      })),
  )
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  const on = (some: readonly LinkRow[], date: string) =>
    sum(
      some
        .flatMap(({ id }) => clicks.get(id) ?? [])
        .filter(({ day }) => day === date)
        .map(({ people }) => people),
    )
  const clicksOf = (some: readonly LinkRow[]) => {
    const days = daysOf(query).map((date) => on(some, date))
    return {
      people: sum(days),
      previous_people: sum(daysOf(before).map((date) => on(some, date))),
      days,
    }
  }
  const labelOf = (name: string, [link]: readonly LinkRow[]) => {
    if (name === '') return { label: '' }
    switch (query.group_by) {
      case 'tag':
        return { name: spelled(name), label: spelled(name) }
      case 'domain':
        return { label: name === 'second' ? 'second.example' : 'sho.rt' }
      case 'link':
        return {
          label: link && addresses.shortUrl(link),
          title: link?.title,
          ...(link && { destination_host: 'example.com' }),
        }
      case 'creator':
        return {
          label: links.findLast(
            (one) =>
              one.owner_id === ownerId &&
              one.person_id === name &&
              (domainIds?.includes(one.domain_id) ?? true),
          )?.person_name,
        }
      default:
        return { label: name }
    }
  }
  const groups = [...new Set(counted.flatMap((link) => valuesOf(link)[query.group_by]))]
    .map((name) => {
      const some = counted.filter((link) => valuesOf(link)[query.group_by].includes(name))
      return { key: name, name, ...labelOf(name, some), ...clicksOf(some) }
    })
    .filter(({ people }) => people > 0)
    .sort((a, b) => b.people - a.people || (a.key < b.key ? -1 : 1))
  const all = clicksOf(counted)
  return {
    from: query.from,
    to: query.to,
    group_by: query.group_by,
    previous_from: before.from,
    previous_to: before.to,
    total_people: all.people,
    previous_people: all.previous_people,
    days: daysOf(query).map((date, at) => ({ date, people: all.days[at] ?? 0 })),
    groups: groups.slice(0, query.limit).map(({ key: _, ...group }) => group) as Report['groups'],
    has_more: groups.length > query.limit,
    ...(unknown.length > 0 && { unknown }),
  }
}
