import type { Db } from '../../database/schema.ts'

interface Counted {
  ownerId?: string | undefined
  domainIds?: readonly string[] | undefined
}

/**
 * Counts links that aren't deleted. Triggers keep the counts, because a list or a quota can't count a million links.
 */
export async function countLinks(db: Db, counted: Counted): Promise<number> {
  if (counted.domainIds?.length === 0) return 0
  return (await linkCount(db, counted).executeTakeFirstOrThrow()).total ?? 0
}

export function linkCount(db: Db, { ownerId, domainIds }: Counted) {
  return (
    db
      .selectFrom('link_counts')
      // PostgreSQL returns a sum as text.
      .select((select) => select.cast<number | null>(select.fn.sum('links'), 'bigint').as('total'))
      .$if(ownerId !== undefined, (query) => query.where('owner_id', '=', ownerId ?? ''))
      .$if(domainIds !== undefined, (query) => query.where('domain_id', 'in', domainIds ?? []))
  )
}
