import { sql, type RawBuilder } from 'kysely'
import { tagKey } from '../../contract/tags.ts'
import type { LinkReach, LinkState, ShownReach } from './links.ts'

export interface LinkFilter {
  ownerId?: string | undefined
  domainIds?: readonly string[] | undefined
  state?: LinkState | 'deleted' | 'dead' | undefined
  tags?: readonly string[] | undefined
  expiresBefore?: number | undefined
  personId?: string | undefined
}

export function within(reach: ShownReach, filter: LinkFilter = {}): LinkFilter {
  if (reach === 'all') return filter
  const { ownerId, domainIds: allowed } = reach
  const { domainIds = allowed } = filter
  return {
    ...filter,
    ownerId,
    domainIds: allowed ? domainIds?.filter((id) => allowed.includes(id)) : domainIds,
  }
}

/**
 * SQL for links with a dead destination. It uses only columns that the candidates of a search have (link-matches.ts).
 */
export const IS_DEAD = sql`enabled = 1 and (id, destination_hash) in (
  select link_id, destination_hash from destination_problems where status = 'dead'
)`

/** SQL conditions for the links that fit a filter. Deleted links fit only if the filter's state is `deleted`. */
export function fits(
  { ownerId, domainIds, tags, state, expiresBefore, personId }: LinkFilter,
  now: number,
): RawBuilder<unknown>[] {
  const isOver = sql`coalesce(expires_at <= ${now}, ${sql.lit(false)})`
  const states = {
    active: [sql`enabled = 1`, sql`not ${isOver}`],
    off: [sql`enabled = 0`, sql`not ${isOver}`],
    expired: [isOver],
    deleted: [sql`alias_of is null`],
    dead: [IS_DEAD, sql`not ${isOver}`],
  }
  return [
    state === 'deleted' ? sql`deleted_at is not null` : sql`deleted_at is null`,
    ...(state === undefined ? [] : states[state]),
    ...(expiresBefore === undefined
      ? []
      : [sql`enabled = 1`, sql`expires_at > ${now}`, sql`expires_at < ${expiresBefore}`]),
    ...(ownerId === undefined ? [] : [sql`owner_id = ${ownerId}`]),
    ...(personId === undefined ? [] : [sql`person_id = ${personId}`]),
    ...(tags === undefined ? [] : [hasTags(tags, ownerId)]),
    ...inDomains(domainIds, tags !== undefined),
  ]
}

/** @param usesOther keeps SQLite from using the index of a domain record's links, because another one is better */
export function inDomains(ids: readonly string[] | undefined, usesOther: boolean) {
  if (!ids) return []
  const domain = usesOther ? sql`domain_id || ''` : sql`domain_id`
  return [ids.length > 0 ? sql`${domain} in (${sql.join(ids)})` : sql`1 = 0`]
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

/**
 * Limits a query to a reach's domain records. As PostgreSQL rejects an empty list, null is added, which equals nothing.
 */
export function onDomains({ domainIds }: LinkReach): RawBuilder<unknown> {
  return domainIds ? sql`domain_id in (${sql.join([...domainIds, null])})` : sql`1 = 1`
}

export function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `)
}
