import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseTags } from '../../contract/tags.ts'
import { readAllLinks } from '../store/link-export.ts'
import type { LinkFilter } from '../store/link-filter.ts'
import { LINK_SORTS } from '../store/link-search.ts'
import { type DashboardContext, readQueue } from './access.ts'
import { pageNumber } from './page.ts'

const SHOWN_STATES = ['current', 'active', 'off', 'expired', 'dead', 'deleted'] as const

// An invalid ID counts as absent. PostgreSQL would fail on one with a NUL.
const optionalId = z
  .string()
  .regex(/^[\w.-]{1,100}$/)
  .optional()
  .catch(undefined)

const plainText = (maxLength: number) =>
  z
    .string()
    .transform((value) => value.replaceAll(/\p{Cc}/gu, ' ').trim())
    .pipe(z.string().max(maxLength))
    .catch('')

const linksQuery = z.object({
  q: plainText(200),
  owner: optionalId,
  domain: optionalId,
  tag: plainText(500),
  state: z.enum(SHOWN_STATES).catch('current'),
  sort: z.enum(LINK_SORTS).catch('newest'),
  page: pageNumber,
})

export type LinksQuery = z.output<typeof linksQuery>

export function parseLinksQuery(values: unknown): LinksQuery {
  return linksQuery.parse(values)
}

const DEFAULTS = parseLinksQuery({})

export function toLinkFilter({ owner, domain, tag, state }: LinksQuery): LinkFilter {
  const tags = parseTags(tag)
  return {
    tags: tags.length > 0 ? tags : undefined,
    ownerId: owner,
    domainIds: domain === undefined ? undefined : [domain],
    state: state === 'current' ? undefined : state,
  }
}

/** Reads all links of a list, in parts. Each part waits for the viewer's earlier slow reads. */
export async function* readListedLinks(context: DashboardContext, request: FastifyRequest) {
  const { viewer } = request
  const query = parseLinksQuery(request.query)
  const search = { reach: viewer.reach, text: query.q, filter: toLinkFilter(query) }
  const parts = readAllLinks(context, search)
  for (;;) {
    const { value: links, done } = await context.inTurn(readQueue(viewer), () => parts.next())
    if (done) return
    yield links
  }
}

export function listPath(query: Partial<LinksQuery>, path = '/dashboard'): string {
  const parameters = new URLSearchParams() // tag=spring&sort=clicks
  for (const name of ['q', 'owner', 'domain', 'tag', 'state', 'sort'] as const) {
    const value = query[name]
    if (value && value !== DEFAULTS[name]) parameters.set(name, value)
  }
  return parameters.size > 0 ? `${path}?${parameters.toString()}` : path
}
