import type { Database } from '../../database/database.ts'
import type { Write } from '../../database/write.ts'

/** A link has up to 1,000 changes, and other writes wait. */
const LINKS_AT_ONCE = 100

/** Links of all owners are read, because no index has an owner's deleted links. */
const LINKS_READ_AT_ONCE = 5_000

/** Walks all links by ID, so that no write has to search for its rows. @returns how many rows were erased */
export async function writeForLinks(
  { db, write }: Pick<Database, 'db' | 'write'>,
  { ownerId, onlyDeleted = false }: { ownerId: string | null; onlyDeleted?: boolean },
  define: (linkIds: readonly string[]) => Write<number>,
): Promise<number> {
  let total = 0
  for (let after: string | undefined = ''; after !== undefined;) {
    const links = await db
      .selectFrom('links')
      .select(['id', 'owner_id', 'deleted_at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(LINKS_READ_AT_ONCE)
      .execute()
    const ids = links
      .filter((link) => ownerId === null || link.owner_id === ownerId)
      .filter((link) => !onlyDeleted || link.deleted_at !== null)
      .map(({ id }) => id)
    for (let start = 0; start < ids.length; start += LINKS_AT_ONCE) {
      const some = ids.slice(start, start + LINKS_AT_ONCE)
      total += await write(define(some), ownerId ?? undefined)
    }
    after = links.at(-1)?.id
  }
  return total
}
