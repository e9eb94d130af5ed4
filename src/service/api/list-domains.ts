import type { z } from 'zod'
import type { domainsEnvelope } from '../../contract/extension-calls.ts'
import { listQuery, type ListQuery } from '../../contract/list-query.ts'
import { formatCount } from '../../web/numbers.ts'
import type { ServiceContext } from '../store/context.ts'
import { selectReachableDomains } from '../store/domains.ts'
import type { Caller } from './authentication.ts'
import { parseListQuery } from './list-links.ts'

/** Paging and sorting, as for links (spec §4.3). Records never change, so all fields sort by their age. */
export const domainsQuery = listQuery.omit({ q: true })

/** @throws ServiceError VALIDATION_ERROR */
export function parseDomainsQuery(query: unknown): ListQuery {
  return parseListQuery(query, domainsQuery)
}

/** Lists a page of the domain records on which the caller can make links. */
export async function listDomains(
  { db, addresses }: ServiceContext,
  { ownerId, domainIds }: Caller,
  { page, per_page: perPage, order }: ListQuery,
): Promise<z.infer<typeof domainsEnvelope>> {
  const range = { order, limit: perPage, offset: (page - 1) * perPage }
  const { rows, total } = await selectReachableDomains(db, { ownerId, domainIds, ...range })
  return {
    data: {
      status: 'success',
      message: `${formatCount(total, 'domain record')} in total.`,
      domains: rows.map(({ id, domain_name: hostname }) => ({
        name: id,
        domain_name: addresses.domainName(hostname),
      })),
      pagination: {
        page,
        per_page: perPage,
        total_items: total,
        total_pages: Math.ceil(total / perPage),
      },
    },
  }
}
