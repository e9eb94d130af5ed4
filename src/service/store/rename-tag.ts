import { sql } from 'kysely'
import { parseTags, tagKey } from '../../contract/tags.ts'
import { defineWrite } from '../../database/write.ts'
import { shownTags } from './link-values.ts'
import type { Creator } from './creators.ts'
import { retagSegments } from './segments.ts'
import { addTagSets, splitTags } from './tags.ts'

const ROWS_AT_ONCE = 250

/**
 * Renames, merges or removes (null) a tag of some of the owner's links. The transaction has locked the owner. If a process is
 * killed in the middle, repeating the calls completes it. @returns how many links were changed, and whether none is left
 */
export const renameTag = defineWrite(async function renameTag(
  transaction,
  { ownerId, key, name }: { ownerId: string; key: string; name: string | null },
  creator: Creator,
  now: number,
): Promise<{ changed: number; isDone: boolean }> {
  let changed = 0
  for (let sets = 0; changed + sets < ROWS_AT_ONCE; sets++) {
    // If only the spelling changes, the new sets have the key, too.
    const found = await sql<{ tags: string }>`select tags from tag_sets
        where owner_id = ${ownerId} and key = ${key} and name <> ${name ?? ''} limit 1
      `.execute(transaction)
    const [set] = found.rows
    if (!set) return { changed, isDone: true }
    const kept = splitTags(set.tags).filter((one) => tagKey(one) !== key)
    const tags = parseTags([name ?? [], kept].flat().join()).join() || null
    await addTagSets(transaction, [{ owner_id: ownerId, tags }])
    // If a user changes the last of the links before the next write, nothing else is left to be done.
    await retagSegments(transaction, ownerId, set.tags, tags)
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
