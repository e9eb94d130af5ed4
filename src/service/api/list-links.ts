import { z } from 'zod'
import {
  type domainsEnvelope,
  listedShortlink,
  pagination,
  success,
  type tagsEnvelope,
} from '../../contract/extension-calls.ts'
import { listQuery, SORT_FIELDS, type ListQuery } from '../../contract/list-query.ts'
import { formatCount } from '../../web/numbers.ts'
import type { ServiceContext } from '../store/context.ts'
import { selectReachableDomains } from '../store/domains.ts'
import { selectLinks } from '../store/link-list.ts'
import { findMatches, MAX_MATCHES } from '../store/link-matches.ts'
import { listTags } from '../store/tags.ts'
import { isBackHalf } from '../store/back-half.ts'
import { findByShortUrl, findShownLink, type LinkReach } from '../store/links.ts'
import type { Handler } from './handler.ts'
import { deletedAtDetails, parseQuery } from './errors.ts'
import { successEnvelope, toListedShortlink } from './shortlink.ts'

/** The specification doesn't define this response (spec §4.2). */
export const linkList = success({
  shortlinks: z.array(listedShortlink),
  pagination: pagination.extend({
    has_more: z
      .literal(true)
      .optional()
      .describe(
        'Set if links that are not counted here contain the text `q`, or might contain it. Beyond the specification.',
      ),
  }),
  deleted_at: z.iso
    .datetime()
    .optional()
    .describe('If `q` is the short URL of a deleted shortlink, the time of the deletion, in UTC.'),
})

export type LinkList = z.infer<typeof linkList>

export const listLinks: Handler = async (context, request) => {
  const { ownerId, domainIds } = request.caller
  const query = parseQuery(listQuery, request.query)
  const { page, per_page: perPage, q, tag: tags, created_by: personId, state } = query
  const { expires_before: before } = query
  const expiresBefore = before === undefined ? undefined : Date.parse(before)
  const filter = { ownerId, domainIds, tags, expiresBefore, personId, state }
  const isByAge = query.sort_by === 'most_recent' || query.sort_by === 'created_at'
  const matches =
    q === undefined
      ? undefined
      : await findMatches(context, {
          text: q,
          filter,
          first: 'newest',
          // In any other order, every match could be on the page, so all matches are needed.
          enough: isByAge && query.order === 'desc' ? (page + 1) * perPage : undefined,
        })
  const { rows, total } = await selectLinks(context, query, filter, matches?.ids)
  const hasMore = matches?.hasMore ?? false
  const isFiltered = [before, q, tags, personId, state].some((value) => value !== undefined)
  return successEnvelope(summary(total, isFiltered, hasMore), {
    shortlinks: rows.map((row) => toListedShortlink(row, context.addresses)),
    pagination: { ...pageInfo(query, total), ...(hasMore && { has_more: true as const }) },
    ...(q !== undefined && deletedAtDetails(await whenDeleted(context, filter, q))),
  }) satisfies LinkList
}

async function whenDeleted({ db, addresses }: ServiceContext, reach: LinkReach, text: string) {
  const url = URL.parse(/^https?:/i.test(text) ? text : `https://${text}`)
  const backHalf = url?.pathname.slice(1) ?? ''
  if (!url || !isBackHalf(backHalf)) return undefined
  const link = await findByShortUrl(db, addresses.hostnamesFor(url.hostname), backHalf)
  return link && (await findShownLink(db, reach, link.id))?.deleted_at
}

function pageInfo({ page, per_page }: ListQuery, total: number): z.infer<typeof pagination> {
  return { page, per_page, total_items: total, total_pages: Math.ceil(total / per_page) }
}

function summary(total: number, isFiltered: boolean, hasMore: boolean): string {
  const links = formatCount(total, 'shortlink')
  if (!isFiltered) return `${links} in total.`
  if (!hasMore) return `${links} found.`
  return total === MAX_MATCHES
    ? `The ${links} listed are the newest of more that were found.`
    : `${links} found among the newest. Not all were searched, because too many look similar.`
}

/** The query of a list of domain records. Records never change, so all fields sort by age (spec §4.3). */
export const domainsQuery = listQuery.pick({ page: true, per_page: true, order: true }).extend({
  sort_by: z
    .enum(SORT_FIELDS, 'Use most_recent, created_at or updated_at.')
    .default('most_recent')
    .describe('The field to sort by.'),
})

export const listDomains: Handler = async ({ db, addresses }, request) => {
  const query = parseQuery(domainsQuery, request.query)
  const { rows, total } = await selectReachableDomains(db, request.caller, query)
  return successEnvelope(`${formatCount(total, 'domain record')} in total.`, {
    domains: rows.map(({ id, domain_name: hostname }) => ({
      name: id,
      domain_name: addresses.domainName(hostname),
    })),
    pagination: pageInfo(query, total),
  }) satisfies z.infer<typeof domainsEnvelope>
}

export const readTags: Handler = async (context, { caller }) => {
  const tags = (await listTags(context, caller)).map(({ name, links }) => ({ name, links }))
  const message = `${formatCount(tags.length, 'tag')}.`
  return successEnvelope(message, { tags }) satisfies z.infer<typeof tagsEnvelope>
}
