import { sql } from 'kysely'
import { MAX_LISTED_TAGS } from '../../contract/extension-calls.ts'
import type { ServiceContext } from './context.ts'
import { all, fits, within } from './link-filter.ts'
import type { ShownReach } from './links.ts'

export interface UsedTag {
  ownerId: string
  ownerName: string
  key: string
  name: string
  links: number
}

export async function listTags(
  { longReads, now }: ServiceContext,
  reach: ShownReach,
  { ownerId, key, page = 1 }: { ownerId?: string; key?: string; page?: number } = {},
): Promise<UsedTag[]> {
  const links = all(fits(within(reach, { ownerId }), now()))
  const wanted = key === undefined ? sql`1 = 1` : sql`key = ${key}`
  const { rows } = await sql<UsedTag>`
    select tag_sets.owner_id as "ownerId", owners.name as "ownerName", key,
      min(tag_sets.name) as name, cast(sum(links) as bigint) as links
    from (
      select owner_id, tags, count(*) as links from links
      where ${links} and tags is not null group by owner_id, tags
    ) as used
    join tag_sets on tag_sets.owner_id = used.owner_id and tag_sets.tags = used.tags
    join owners on owners.id = tag_sets.owner_id
    where ${wanted} group by tag_sets.owner_id, owners.name, key
    order by links desc, key limit ${MAX_LISTED_TAGS} offset ${(page - 1) * MAX_LISTED_TAGS}
  `.execute(longReads)
  return rows
}
