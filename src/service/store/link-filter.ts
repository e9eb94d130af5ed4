import { sql, type RawBuilder } from 'kysely'
import { tagKey } from '../../contract/tags.ts'
import type { Db } from '../../database/schema.ts'
import type { LinkState, ShownReach } from './links.ts'

export interface LinkFilter {
  ownerId?: string | undefined
  domainIds?: readonly string[] | undefined
  state?: LinkState | 'deleted' | 'dead' | undefined
  tags?: readonly string[] | undefined
  expiresBefore?: number | undefined
  personId?: string | undefined
}

/** Limits a filter to the links that a key or a viewer can reach. */
export function limitToReach(reach: ShownReach, filter: LinkFilter = {}): LinkFilter {
  if (reach === 'all') return filter
  const { ownerId, domainIds: allowed } = reach
  const { domainIds = allowed } = filter
  return {
    ...filter,
    ownerId,
    domainIds: allowed ? domainIds?.filter((id) => allowed.includes(id)) : domainIds,
  }
}

/** SQL for links with a dead destination. Their columns are among those of a search's candidates (link-matches.ts). */
export const IS_DEAD = sql`enabled = 1 and (id, destination_hash) in (
  select link_id, destination_hash from destination_problems where status = 'dead'
)`

/** Builds an SQL condition for a filter. Deleted links match only if the filter's state is `deleted`. */
export function filterCondition(
  { ownerId, domainIds, tags, state, expiresBefore, personId }: LinkFilter,
  now: number,
): RawBuilder<unknown> {
  const isExpired = sql`coalesce(expires_at <= ${now}, ${sql.lit(false)})`
  const states = {
    active: [sql`enabled = 1`, sql`not ${isExpired}`],
    off: [sql`enabled = 0`, sql`not ${isExpired}`],
    expired: [isExpired],
    deleted: [sql`alias_of is null`],
    dead: [IS_DEAD, sql`not ${isExpired}`],
  }
  return joinWithAnd([
    state === 'deleted' ? sql`deleted_at is not null` : sql`deleted_at is null`,
    ...(state === undefined ? [] : states[state]),
    ...(expiresBefore === undefined
      ? []
      : [sql`enabled = 1`, sql`expires_at > ${now}`, sql`expires_at < ${expiresBefore}`]),
    ...(ownerId === undefined ? [] : [sql`owner_id = ${ownerId}`]),
    ...(personId === undefined ? [] : [sql`person_id = ${personId}`]),
    ...(tags === undefined ? [] : [hasTags(tags, ownerId)]),
    domainCondition(domainIds, { avoidsIndex: tags !== undefined }),
  ])
}

/** @param options.avoidsIndex keeps SQLite from using the index of a domain record's links, if another is better */
export function domainCondition(
  ids: readonly string[] | undefined,
  { avoidsIndex = false } = {},
): RawBuilder<unknown> {
  if (!ids) return sql`1 = 1`
  if (ids.length === 0) return sql`1 = 0`
  return sql`${avoidsIndex ? sql`domain_id || ''` : sql`domain_id`} in (${sql.join(ids)})`
}

export function hasTags(names: readonly string[], ownerId?: string): RawBuilder<unknown> {
  const keys = [...new Set(names.map(tagKey))]
  const owned = ownerId === undefined ? sql`` : sql`owner_id = ${ownerId} and`
  const columns = ownerId === undefined ? sql`owner_id, tags` : sql`tags`
  return sql`tags is not null and (${columns}) in (
    select ${columns} from tag_sets where ${owned} key in (${sql.join(keys)})
    group by owner_id, tags having count(*) = ${keys.length}
  )`
}

/** Adds up `link_counts`, which triggers keep up to date, because counting a million links takes long. */
export async function countLinks(db: Db, filter: CountFilter): Promise<number> {
  if (filter.domainIds?.length === 0) return 0
  return (await selectLinkCount(db, filter).executeTakeFirstOrThrow()).total ?? 0
}

type CountFilter = Pick<LinkFilter, 'ownerId' | 'domainIds'>

export function selectLinkCount(db: Db, { ownerId, domainIds }: CountFilter) {
  return (
    db
      .selectFrom('link_counts')
      // PostgreSQL returns a sum as text.
      .select((select) => select.cast<number | null>(select.fn.sum('links'), 'bigint').as('total'))
      .$if(ownerId !== undefined, (query) => query.where('owner_id', '=', ownerId ?? ''))
      .$if(domainIds !== undefined, (query) => query.where('domain_id', 'in', domainIds ?? []))
  )
}

export function joinWithAnd(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `)
}
