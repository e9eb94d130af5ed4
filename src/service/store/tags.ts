import { sql } from 'kysely'
import { tagKey } from '../../contract/tags.ts'
import type { Db, Schema } from '../../database/schema.ts'
import { onDomains } from './link-filter.ts'
import type { LinkReach, LinkRow } from './links.ts'

export function splitTags(tags: string): string[] {
  return tags.split(',')
}

/** How many sets, and links of each set, are read for a tag's spelling if the key can't reach all domain records. */
const MAX_READ = 100

export async function spellTags(db: Db, reach: LinkReach, tags: string): Promise<string> {
  const { ownerId } = reach
  const within =
    reach.domainIds &&
    sql`where exists (
      select 1 from (
        select domain_id from links where owner_id = ${ownerId} and links.tags = sets.tags
          and deleted_at is null limit ${MAX_READ}
      ) as read_links where ${onDomains(reach)}
    )`
  const known = splitTags(tags).map(
    (name) => sql`select * from (
      select key, name from (
        select key, name, tags from tag_sets
        where owner_id = ${ownerId} and key = ${tagKey(name)} limit ${within ? MAX_READ : 1}
      ) as sets ${within ?? sql``} limit 1
    ) as known`,
  )
  const { rows } = await sql<Schema['tag_sets']>`${sql.join(known, sql` union all `)}`.execute(db)
  const spelling = new Map(rows.map(({ key, name }) => [key, name]))
  return splitTags(tags)
    .map((name) => spelling.get(tagKey(name)) ?? name)
    .join(',')
}

/** The transaction has locked the links' owners. */
export async function addTagSets(
  transaction: Db,
  links: readonly Pick<LinkRow, 'owner_id' | 'tags'>[],
): Promise<void> {
  const rows = links.flatMap(({ owner_id, tags }) =>
    tags === null
      ? []
      : splitTags(tags).map((name) => ({ owner_id, tags, key: tagKey(name), name })),
  )
  if (rows.length === 0) return
  await transaction
    .insertInto('tag_sets')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes the set unless another link has it. Otherwise, changes could fill the disk with sets. */
export async function removeTagSet(
  transaction: Db,
  { owner_id: ownerId, tags }: LinkRow,
): Promise<void> {
  if (tags === null) return
  const has = sql`owner_id = ${ownerId} and tags = ${tags}`
  await sql`delete from tag_sets where ${has}
    and not exists (select 1 from links where ${has} and deleted_at is null)`.execute(transaction)
}
