import { z } from 'zod'
import { parseTags } from '../../contract/tags.ts'
import type { LinkFilter } from '../store/link-filter.ts'
import { LINK_SORTS } from '../store/link-search.ts'
import { pageNumber } from './page.ts'

const SHOWN_STATES = ['current', 'active', 'off', 'expired', 'dead', 'deleted'] as const

/** Allows only these characters, because PostgreSQL rejects texts with NUL. */
const id = z
  .string()
  .regex(/^[\w.-]{1,100}$/)
  .or(z.undefined())
  .catch(undefined)

const text = (maxLength: number) =>
  z
    .string()
    .transform((typed) => typed.replaceAll(/\p{Cc}/gu, ' ').trim())
    .pipe(z.string().max(maxLength))
    .catch('')

const query = z.object({
  q: text(200),
  owner: id,
  domain: id,
  tag: text(500),
  state: z.enum(SHOWN_STATES).catch('current'),
  sort: z.enum(LINK_SORTS).catch('newest'),
  page: pageNumber,
})

export type LinksQuery = z.output<typeof query>

export function parseListQuery(values: unknown): LinksQuery {
  return query.parse(values)
}

export function toLinkFilter({ owner, domain, tag, state }: LinksQuery): LinkFilter {
  const tags = parseTags(tag)
  return {
    tags: tags.length > 0 ? tags : undefined,
    ownerId: owner,
    domainIds: domain === undefined ? undefined : [domain],
    state: state === 'current' ? undefined : state,
  }
}

export function listPath(query: Partial<LinksQuery>, path = '/dashboard'): string {
  const asked = new URLSearchParams() // tag=spring&sort=clicks
  for (const name of ['q', 'owner', 'domain', 'tag', 'state', 'sort'] as const) {
    const value = query[name]
    if (value && value !== DEFAULTS[name]) asked.set(name, value)
  }
  return asked.size > 0 ? `${path}?${asked.toString()}` : path
}

const DEFAULTS = parseListQuery({})
