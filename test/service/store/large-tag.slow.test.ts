import { sql, type KyselyPlugin } from 'kysely'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from 'vitest'
import { sqlitePath } from '../../../src/database/database-url.ts'
import { isPostgres } from '../../../src/database/dialects.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { readAllLinks } from '../../../src/service/store/link-export.ts'
import { selectLinks } from '../../../src/service/store/link-list.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { addOwners } from '../../support/rows.ts'

/** More links than SQLite sorts in part, and more than titles are sorted of. */
const LINKS = 20_400

const SORTS = ['created_at', 'updated_at', 'clicks', 'title'] as const

describeOnEveryDatabase((opened) => {
  const context = () => ({
    ...opened.database,
    addresses: createAddresses('https://go.example.com'),
    now: () => 1,
  })
  const filter = { ownerId: 'acme', tags: ['big'] }

  beforeAll(async () => {
    const { db } = opened.database
    await addOwners(opened.database, 'acme')
    // PostgreSQL limits how long a statement can take.
    for (let from = 1; from < LINKS; from += 1_200) {
      await sql`
      with recursive numbers (i) as (select ${sql.lit(from)} union all select i + 1 from numbers where i < ${sql.lit(from + 1_199)})
      insert into links (id, owner_id, domain_id, hostname, back_half, destination_url, destination_hash, title,
        utm_analytics_enabled, is_custom_preview, qr_code_enabled, created_at, updated_at, tags)
      select cast(10000000 + i as text), 'acme', 'default', '', 'b' || i, 'https://example.com/', 'hash ' || i,
        'Title ' || (i * 31 % 1009), 0, 0, 0, i / 3, i * 7919 % 20011,
        case i % 100 when 0 then null when 1 then 'big,other' else 'big' end
      from numbers`.execute(db)
    }
    await sql`insert into tag_sets values ('acme', 'big', 'big', 'big'),
      ('acme', 'big,other', 'big', 'big'), ('acme', 'big,other', 'other', 'other')`.execute(db)
    if (isPostgres(db)) await sql`analyze links, tag_sets`.execute(db)
    await sql`update click_totals set people = cast(link_id as integer) * 31 % 997`.execute(db)
  })

  test.each(SORTS)(
    'the right links are on each page of a large tag, sorted by %s',
    async (sort) => {
      const { db } = opened.database
      const links = await db
        .selectFrom('links')
        .innerJoin('click_totals', 'click_totals.link_id', 'links.id')
        .select(['id', 'created_at', 'updated_at', 'people as clicks', 'title'])
        .where('tags', 'is not', null)
        .execute()
      const compare = <T>(one: T, other: T): number => (one < other ? -1 : one > other ? 1 : 0)
      const sorted = links.toSorted(
        (one, other) => compare(one[sort] ?? '', other[sort] ?? '') || compare(one.id, other.id),
      )
      for (const order of ['asc', 'desc'] as const) {
        const wanted = (order === 'asc' ? sorted : sorted.toReversed()).map(({ id }) => id)
        for (const page of [1, 102, 150, 202]) {
          const range = { page, per_page: 100, sort_by: sort, order }
          const { rows, total } = await selectLinks(context(), range, filter)
          expect(rows.map(({ id }) => id)).toEqual(wanted.slice((page - 1) * 100, page * 100))
          expect(total).toBe(wanted.length)
        }
      }
    },
  )

  test('each part of an export begins where the one before ended, and reads only its own links', async () => {
    const { longReads, kind } = opened.database
    const queries: { sql: string; parameters: readonly unknown[] }[] = []
    const recording: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        queries.push(longReads.getExecutor().compileQuery(node, queryId))
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const recorded = { ...context(), longReads: longReads.withPlugin(recording) }
    const parts = []
    for await (const part of readAllLinks(recorded, { reach: 'all', text: '', filter }))
      parts.push(part)
    const ids = parts.flat().map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted())
    expect(ids).toHaveLength((LINKS / 100) * 99)
    const expectedParts = Math.ceil(LINKS / 500)
    expect(parts).toHaveLength(expectedParts)
    expect(queries).toHaveLength(1 + 2 * expectedParts)
    if (kind === 'postgres') return
    using database = new DatabaseSync(sqlitePath(opened.url), { readOnly: true })
    const plans = queries.slice(3).map(({ sql: text, parameters }) =>
      database
        .prepare(`explain query plan ${text}`)
        .all(...(parameters as string[]))
        .map(({ detail }) => String(detail))
        .filter((detail) => detail.includes(' links '))
        .join(),
    )
    const range = String.raw`\(owner_id=\? AND \(created_at,id\)>\(\?,\?\) AND \(created_at,id\)<\(\?,\?\)\)`
    for (const plan of plans) {
      expect(plan).toMatch(new RegExp(`^SEARCH links USING INDEX links_owner_created_at ${range}$`))
    }
  })
})
