import type { Db } from '../../database/schema.ts'

interface CountFilter {
  ownerId?: string | undefined
  domainIds?: readonly string[] | undefined
}

/**
 * Counts links that aren't deleted. Triggers keep `link_counts` up to date, because counting a million rows takes long.
 */
export async function countLinks(db: Db, filter: CountFilter): Promise<number> {
  if (filter.domainIds?.length === 0) return 0
  return (await selectLinkCount(db, filter).executeTakeFirstOrThrow()).total ?? 0
}

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
