import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'

/**
 * Returns how many links there are. Triggers keep the counts in the transaction that adds a link, because
 * counting a million links takes too long for a list or a quota.
 *
 * @param ownerId only this owner's links; undefined: all
 * @param domainIds only links on these domain records; undefined: on all
 */
export async function countLinks(
  db: Kysely<Schema>,
  {
    ownerId,
    domainIds,
  }: { ownerId?: string | undefined; domainIds?: readonly string[] | undefined },
): Promise<number> {
  if (domainIds?.length === 0) return 0
  const { total } = await db
    .selectFrom('link_counts')
    // PostgreSQL returns a sum as text.
    .select((select) => select.cast<number | null>(select.fn.sum('links'), 'bigint').as('total'))
    .$if(ownerId !== undefined, (query) => query.where('owner_id', '=', ownerId ?? ''))
    .$if(domainIds !== undefined, (query) => query.where('domain_id', 'in', domainIds ?? []))
    .executeTakeFirstOrThrow()
  return total ?? 0
}
