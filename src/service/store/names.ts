import { sql, type RawBuilder } from 'kysely'
import {
  NAMED_FILTERS,
  type NamedFilter,
  type Report,
  type ReportQuery,
} from '../../contract/report.ts'
import { MAX_TAGS, nameKey, nearestNames, tagKey } from '../../contract/tags.ts'
import type { Db } from '../../database/schema.ts'
import { domainCondition } from './link-filter.ts'
import type { LinkReach } from './links.ts'

// At most this many names of an owner are read. With so many, finding the nearest to a misspelled name takes 20 ms.
const MAX_NAMES = 3_000

/**
 * Lists an owner's campaigns, sources, media or tags, including those of links without clicks. The recursive query
 * jumps in an index from each name to the next, so its time doesn't depend on the number of links.
 * @param max if there are more names, `isComplete` is false
 */
export async function listNames(
  longReads: Db,
  reach: LinkReach,
  filter: NamedFilter,
  max = MAX_NAMES,
): Promise<{ names: string[]; isComplete: boolean }> {
  const { ownerId, domainIds } = reach
  const isTag = filter === 'tag'
  const column = sql.ref(isTag ? 'key' : filter)
  const source = isTag
    ? sql`tag_sets where owner_id = ${ownerId}`
    : sql`links where owner_id = ${ownerId} and utm_analytics_enabled = 1 and deleted_at is null`
  const next = (name: RawBuilder<unknown>) =>
    sql`(select ${column} from ${source} and ${column} > ${name} order by ${column} limit 1)`
  const link = isTag
    ? sql`links where owner_id = ${ownerId} and deleted_at is null
        and tags in (select tags from ${source} and key = found.name)`
    : sql`${source} and ${column} = found.name`
  const isReached = domainIds
    ? sql`exists (select 1 from ${link} and ${domainCondition(reach.domainIds)})`
    : sql`name is not null`
  // Tags can be spelled differently on links out of reach.
  const isSpelledSo = domainIds
    ? sql`and exists (select 1 from links where owner_id = ${ownerId} and links.tags = tag_sets.tags
        and deleted_at is null and ${domainCondition(reach.domainIds)})`
    : sql``
  const { rows } = await sql<{ name: string; isReached: boolean | number }>`
    with recursive found as (
      select ${next(sql`''`)} as name, 1 as place
      union all
      select ${next(sql`found.name`)}, place + 1 from found where name is not null and place < ${max}
    )
    select ${isTag ? sql`(select min(tag_sets.name) from ${source} and key = found.name ${isSpelledSo})` : sql`name`} as name,
      ${isReached} as "isReached"
    from found where name is not null`.execute(longReads)
  return {
    names: rows.flatMap(({ name, isReached }) => (isReached ? name : [])),
    isComplete: rows.length < max,
  }
}

/** Returns SQL conditions for the names in a query, however they are spelled, and the names that no link has. */
export async function findNames(longReads: Db, reach: LinkReach, query: ReportQuery) {
  const conditions: RawBuilder<unknown>[] = []
  const unknown: NonNullable<Report['unknown']> = []
  for (const filter of NAMED_FILTERS) {
    const wanted = [query[filter] ?? []].flat()
    const column = sql.ref(`segments.${filter === 'tag' ? 'tags' : filter}`)
    if (wanted.join('') === '') {
      if (query[filter] !== undefined) conditions.push(sql`${column} = ''`)
      continue
    }
    // No link has so many tags, so none matches.
    if (wanted.length > MAX_TAGS) {
      conditions.push(sql`1 = 0`)
      continue
    }
    const { names, isComplete } = await listNames(longReads, reach, filter)
    const byKey = Map.groupBy(names, nameKey)
    const firsts = [...byKey.values()].flatMap(([first]) => first ?? [])
    for (const name of wanted) {
      const spellings = byKey.get(nameKey(name)) ?? []
      if (isComplete && spellings.length === 0) {
        unknown.push({ filter, name, nearest: nearestNames(name, firsts) })
      }
      spellings.push(name)
      conditions.push(
        filter === 'tag'
          ? sql`${column} in (select tags from tag_sets
              where owner_id = ${reach.ownerId} and key in (${sql.join(spellings.map(tagKey))}))`
          : sql`${column} in (${sql.join(spellings)})`,
      )
    }
  }
  return { conditions, unknown }
}
