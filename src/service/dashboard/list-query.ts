import { z } from 'zod'
import { LINK_SORTS } from '../store/link-search.ts'
import { pageNumber } from './page.ts'

const query = z.object({
  // PostgreSQL rejects texts with NUL.
  q: z
    .string()
    .transform((text) => text.replaceAll(/\p{Cc}/gu, ' ').trim())
    .pipe(z.string().max(200))
    .catch(''),
  sort: z.enum(LINK_SORTS).catch('newest'),
  page: pageNumber,
})

/** Parses the query of the list of links. Invalid values are ignored. */
export function parseListQuery(values: unknown): z.output<typeof query> {
  return query.parse(values)
}
