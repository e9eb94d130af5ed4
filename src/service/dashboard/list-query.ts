import { z } from 'zod'
import type { LinkFilter } from '../store/link-matches.ts'
import { LINK_SORTS } from '../store/link-search.ts'
import { pageNumber } from './page.ts'

/** The states that the list can show. `current`: all that are not deleted. */
const SHOWN_STATES = ['current', 'active', 'off', 'expired', 'deleted'] as const

/** The id of a record in the query of the list. PostgreSQL rejects texts with NUL. */
const id = z
  .string()
  .regex(/^[\w-]{1,100}$/)
  .or(z.undefined())
  .catch(undefined)

const query = z.object({
  q: z
    .string()
    .transform((text) => text.replaceAll(/\p{Cc}/gu, ' ').trim())
    .pipe(z.string().max(200))
    .catch(''),
  owner: id,
  domain: id,
  state: z.enum(SHOWN_STATES).catch('current'),
  sort: z.enum(LINK_SORTS).catch('newest'),
  page: pageNumber,
})

/** What the list of links shows. */
export type LinksQuery = z.output<typeof query>

/** Parses the query of the list of links. Invalid values are ignored. */
export function parseListQuery(values: unknown): LinksQuery {
  return query.parse(values)
}

/** The filters of the list, without the text. */
export function filterOf({ owner, domain, state }: LinksQuery): LinkFilter {
  return {
    ownerId: owner,
    domainIds: domain === undefined ? undefined : [domain],
    state: state === 'current' ? undefined : state,
  }
}
