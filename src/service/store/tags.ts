import { sql } from 'kysely'
import { MAX_LISTED_TAGS } from '../../contract/extension-calls.ts'
import { parseTags, tagKey } from '../../contract/tags.ts'
import type { Database } from '../../database/database.ts'
import type { Db, Schema } from '../../database/schema.ts'
import { defineWrite } from '../../database/write.ts'
import type { Creator, LinkReach, LinkRow, ShownReach } from './links.ts'
import { filterCondition, domainCondition, limitToReach } from './link-filter.ts'
import { shownTags } from './link-values.ts'

// The tag sets, and the links of each, that are read to find a spelling within the reach of a key.
const MAX_READ = 100

/** Spells tags as on the owner's other links: `NEWS,q3` → `News,q3` if a link within reach has the tag `News`. */
export async function spellTags(db: Db, reach: LinkReach, tags: string): Promise<string> {
  const { ownerId } = reach
  const isReached =
    reach.domainIds &&
    sql`where exists (
      select 1 from (
        select domain_id from links where owner_id = ${ownerId} and links.tags = sets.tags
          and deleted_at is null limit ${MAX_READ}
      ) as read_links where ${domainCondition(reach.domainIds)}
    )`
  const spellings = tags.split(',').map(
    (name) => sql`select * from (
      select key, name from (
        select key, name, tags from tag_sets
        where owner_id = ${ownerId} and key = ${tagKey(name)} limit ${isReached ? MAX_READ : 1}
      ) as sets ${isReached ?? sql``} limit 1
    ) as spelling`,
  )
  const { rows } = await sql<Schema['tag_sets']>`${sql.join(spellings, sql` union all `)}`.execute(
    db,
  )
  const nameByKey = new Map(rows.map(({ key, name }) => [key, name]))
  return tags
    .split(',')
    .map((name) => nameByKey.get(tagKey(name)) ?? name)
    .join(',')
}

/**
 * Adds the tag sets of links. A tag set contains all tags of a link, such as `News,q3`, and has a row of `tag_sets` for
 * each tag. The transaction has locked the links' owners.
 */
export async function addTagSets(
  transaction: Db,
  links: readonly Pick<LinkRow, 'owner_id' | 'tags'>[],
): Promise<void> {
  const rows = links.flatMap(({ owner_id, tags }) =>
    tags === null
      ? []
      : tags.split(',').map((name) => ({ owner_id, tags, key: tagKey(name), name })),
  )
  if (rows.length === 0) return
  await transaction
    .insertInto('tag_sets')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes the tag set of a link unless another link has it. Otherwise, changes could fill the disk with tag sets. */
export async function removeTagSet(transaction: Db, { owner_id: ownerId, tags }: LinkRow) {
  if (tags === null) return
  const has = sql`owner_id = ${ownerId} and tags = ${tags}`
  await sql`delete from tag_sets where ${has}
    and not exists (select 1 from links where ${has} and deleted_at is null)`.execute(transaction)
}

const ROWS_AT_ONCE = 250

/**
 * Renames a tag, which can merge it with another one, or removes it if `name` is null. Each call changes a limited
 * number of links. Call this until `isDone` is true, in writes that have locked the owner. After a crash, it continues.
 */
export const renameTag = defineWrite(async function renameTag(
  transaction,
  { ownerId, key, name }: { ownerId: string; key: string; name: string | null },
  creator: Creator,
  now: number,
): Promise<{ changed: number; isDone: boolean }> {
  let changed = 0
  for (let sets = 0; changed + sets < ROWS_AT_ONCE; sets++) {
    // A set with the new name is done. If only the spelling changes, it has the same key.
    const next = await sql<{ tags: string }>`select tags from tag_sets
        where owner_id = ${ownerId} and key = ${key} and name <> ${name ?? ''} limit 1
      `.execute(transaction)
    const [set] = next.rows
    if (!set) return { changed, isDone: true }
    const kept = set.tags.split(',').filter((tag) => tagKey(tag) !== key)
    const tags = parseTags([name ?? [], kept].flat().join()).join() || null
    await addTagSets(transaction, [{ owner_id: ownerId, tags }])
    // All segments change with the first links of the set. If a user changed its last link before the next call, that
    // call would find no set, and the segments would keep the old tags.
    await sql`update segments set tags = ${tags ?? ''}, key = null
        where owner_id = ${ownerId} and tags = ${set.tags}`.execute(transaction)
    const limit = ROWS_AT_ONCE - changed
    const { rows: links } = await sql<{ link_id: string }>`
        update links set tags = ${tags}, updated_at = ${now}, revision = revision + 1
        where id in (
          select id from links
          where owner_id = ${ownerId} and tags = ${set.tags} and deleted_at is null limit ${limit}
        ) returning id as link_id`.execute(transaction)
    const changes = JSON.stringify({ tags: [shownTags(set.tags), shownTags(tags)] })
    const history = links.map((link) => ({ ...link, at: now, ...creator, changes }))
    if (history.length > 0) await transaction.insertInto('link_history').values(history).execute()
    changed += links.length
    if (links.length === limit) break
    await sql`delete from tag_sets where owner_id = ${ownerId} and tags = ${set.tags}
        `.execute(transaction)
  }
  return { changed, isDone: false }
})

export interface UsedTag {
  ownerId: string
  ownerName: string
  key: string
  name: string
  links: number
}

export async function listTags(
  { longReads, now }: Pick<Database, 'longReads'> & { now: () => number },
  reach: ShownReach,
  { ownerId, key, page = 1 }: { ownerId?: string; key?: string; page?: number } = {},
): Promise<UsedTag[]> {
  const links = filterCondition(limitToReach(reach, { ownerId }), now())
  const isWanted = key === undefined ? sql`1 = 1` : sql`key = ${key}`
  const { rows } = await sql<UsedTag>`
    select tag_sets.owner_id as "ownerId", owners.name as "ownerName", key,
      min(tag_sets.name) as name, cast(sum(links) as bigint) as links
    from (
      select owner_id, tags, count(*) as links from links
      where ${links} and tags is not null group by owner_id, tags
    ) as used
    join tag_sets on tag_sets.owner_id = used.owner_id and tag_sets.tags = used.tags
    join owners on owners.id = tag_sets.owner_id
    where ${isWanted} group by tag_sets.owner_id, owners.name, key
    order by links desc, key limit ${MAX_LISTED_TAGS} offset ${(page - 1) * MAX_LISTED_TAGS}
  `.execute(longReads)
  return rows
}
