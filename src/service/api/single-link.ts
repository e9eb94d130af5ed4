import type { FastifyReply, FastifyRequest } from 'fastify'
import { validate as isUuid } from 'uuid'
import { z } from 'zod'
import {
  type clicksEnvelope,
  type doneEnvelope,
  type linkEnvelope,
  MAX_CLICK_DAYS,
  utcDay,
} from '../../contract/extension-calls.ts'
import { updateRequest } from '../../contract/link-requests.ts'
import { dayOf, type DayRange, daysUntil } from '../../timing/days.ts'
import { formatCount } from '../../web/numbers.ts'
import { findKeyName, findShownLink, type LinkRow } from '../store/links.ts'
import type { LinkTarget } from '../store/change-link.ts'
import { rangeError, readClickReport, countClicks } from '../store/clicks.ts'
import { findDestinationProblem } from '../store/destination-problems.ts'
import type { LinkContext, ServiceContext } from '../store/context.ts'
import { validateChanges } from '../store/link-rules.ts'
import { readCreator } from './authentication.ts'
import { fieldError, invalidFields, linkNotFound, parseQuery } from './errors.ts'
import { readForm } from './form.ts'
import { succeeded, toError, toDetailedShortlink } from './shortlink.ts'

type Envelope = z.infer<typeof linkEnvelope>

export type Named = { Params: { name: string } }

type NamedRequest = FastifyRequest<Named>

async function requireLink({ db }: ServiceContext, { caller, params: { name } }: NamedRequest) {
  const link = isUuid(name) ? await findShownLink(db, caller, name) : undefined
  if (!link || link.alias_of !== null) throw linkNotFound()
  if (link.deleted_at !== null) throw linkNotFound(link.deleted_at)
  return link
}

export async function readLink(
  context: ServiceContext,
  request: NamedRequest,
  reply: FastifyReply,
): Promise<Envelope> {
  return respond(context, await requireLink(context, request), 'Shortlink found.', reply)
}

export async function changeLink(
  context: LinkContext,
  request: NamedRequest,
  reply: FastifyReply,
): Promise<Envelope> {
  const link = await requireLink(context, request)
  const form = await readForm(request, updateRequest)
  const changes = await validateChanges(context, request.caller, link, form)
  if (!changes) throw invalidFields(form.errors)
  const result = await context.links.update(linkTarget(request), changes)
  switch (result.outcome) {
    case 'changed':
      return respond(context, result.link, 'Shortlink updated.', reply)
    case 'unchanged':
      return respond(context, result.link, 'Nothing was changed.', reply)
    default:
      throw toError(result, context.addresses, request.caller)
  }
}

export async function removeLink({ links, addresses }: LinkContext, request: NamedRequest) {
  if (!isUuid(request.params.name)) throw linkNotFound()
  const result = await links.delete(linkTarget(request))
  if (result.outcome !== 'deleted') throw toError(result, addresses, request.caller)
  return succeeded('Shortlink deleted.', {}) satisfies z.infer<typeof doneEnvelope>
}

async function respond(
  { db, addresses }: ServiceContext,
  link: LinkRow,
  message: string,
  reply: FastifyReply,
): Promise<Envelope> {
  const people = await countClicks(db, link.id)
  const problem = await findDestinationProblem(db, link)
  const key_name = await findKeyName(db, link.made_by)
  const destination_status = problem && problem.status !== 'failing' ? problem.status : null
  const row = { ...link, people, key_name, destination_status }
  reply.header('etag', `"${link.revision}"`)
  return succeeded(message, { shortlink: toDetailedShortlink(row, addresses) })
}

function linkTarget(request: NamedRequest): LinkTarget {
  const { ownerId, domainIds } = request.caller
  const revisions = revisionsIn(request.headers['if-match'])
  const creator = readCreator(request)
  return { linkId: request.params.name, ownerId, domainIds, revisions, creator }
}

/**
 * Reads the revisions in an If-Match header, such as `"3"`. Accepts weak tags (`W/"3"`), because proxies that compress
 * responses make tags weak.
 * @returns undefined if the link can have any revision
 */
function revisionsIn(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  return ifMatch.split(',').flatMap((tag) => {
    const revision = /^(?:W\/)?"([1-9]\d{0,8})"$/.exec(tag.trim())?.[1]
    return revision === undefined ? [] : [Number(revision)]
  })
}

const DEFAULT_DAYS = 30

export const clicksQuery = z.strictObject({
  from: utcDay
    .describe(`The first day, in UTC. By default, the range has ${DEFAULT_DAYS} days.`)
    .optional(),
  to: utcDay
    .describe(`The last day. By default, today. A range has at most ${MAX_CLICK_DAYS} days.`)
    .optional(),
})

export function parseClicksQuery(query: unknown, now: number): DayRange {
  const parsed = parseQuery(clicksQuery, query)
  const { to = dayOf(now), from = daysUntil(to, DEFAULT_DAYS).from } = parsed
  const error = rangeError({ from, to })
  if (error !== undefined) throw fieldError('from', error)
  return { from, to }
}

export async function getLinkClicks(
  context: ServiceContext,
  request: NamedRequest,
): Promise<z.infer<typeof clicksEnvelope>> {
  const range = parseClicksQuery(request.query, context.now())
  const link = await requireLink(context, request)
  const clicks = await readClickReport(context, link.id, range)
  const { from, to, total_people: people } = clicks
  const message = `${formatCount(people, 'click')} by people from ${from} to ${to}.`
  return succeeded(message, { clicks })
}
