import type { FastifyReply, FastifyRequest } from 'fastify'
import { validate as isUuid } from 'uuid'
import type { z } from 'zod'
import type { deletedEnvelope, linkEnvelope } from '../../contract/extension-calls.ts'
import { updateRequest } from '../../contract/link-requests.ts'
import type { LinkTarget } from '../store/change-link.ts'
import { countClicks } from '../store/clicks.ts'
import type { LinkContext, ServiceContext } from '../store/context.ts'
import { validateChanges } from '../store/link-rules.ts'
import { findOwnLink, type LinkRow } from '../store/links.ts'
import type { Caller } from './authentication.ts'
import { linkNotFound } from './errors.ts'
import { readForm } from './form.ts'
import { toError, toWholeShortlink } from './shortlink.ts'

type Envelope = z.infer<typeof linkEnvelope>

/**
 * Finds a link by its name.
 *
 * @throws ServiceError NOT_FOUND, the same for a link that does not exist, is deleted, or that the caller can't reach
 */
export async function requireLink(
  { db }: Pick<ServiceContext, 'db'>,
  caller: Caller,
  name: string,
): Promise<LinkRow> {
  const link = isUuid(name) ? await findOwnLink(db, caller, name) : undefined
  if (!link) throw linkNotFound()
  return link
}

/** `GET /api/v1/shortlinks/{name}` */
export async function readLink(
  context: ServiceContext,
  caller: Caller,
  name: string,
  reply: FastifyReply,
): Promise<Envelope> {
  return respond(context, await requireLink(context, caller, name), 'Shortlink found.', reply)
}

/** `PATCH /api/v1/shortlinks/{name}` */
export async function changeLink(
  context: LinkContext,
  caller: Caller,
  request: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
): Promise<Envelope> {
  const link = await requireLink(context, caller, request.params.name)
  const form = await readForm(request, updateRequest)
  const changes = await validateChanges(context, caller, link, form)
  if (!changes) throw form.errors.toError()
  const result = await context.links.update(targetOf(caller, request), changes)
  switch (result.outcome) {
    case 'changed':
      return respond(context, result.link, 'Shortlink updated.', reply)
    case 'unchanged':
      return respond(context, result.link, 'Nothing was changed.', reply)
    default:
      throw toError(result, context.addresses, caller.scopes.has('shortlinks:read'))
  }
}

/** `DELETE /api/v1/shortlinks/{name}` */
export async function removeLink(
  context: LinkContext,
  caller: Caller,
  request: FastifyRequest<{ Params: { name: string } }>,
): Promise<z.infer<typeof deletedEnvelope>> {
  const result = isUuid(request.params.name)
    ? await context.links.delete(targetOf(caller, request))
    : { outcome: 'not_found' as const }
  if (result.outcome !== 'deleted') throw toError(result, context.addresses, false)
  return { data: { status: 'success', message: 'Shortlink deleted.' } }
}

async function respond(
  { db, addresses }: ServiceContext,
  link: LinkRow,
  message: string,
  reply: FastifyReply,
): Promise<Envelope> {
  const clicks = (await countClicks(db, [link.id])).get(link.id) ?? 0
  reply.header('etag', `"${link.revision}"`)
  return {
    data: { status: 'success', message, shortlink: toWholeShortlink(link, clicks, addresses) },
  }
}

function targetOf(
  { apiKeyId, ownerId, domainIds }: Caller,
  { params, headers }: FastifyRequest<{ Params: { name: string } }>,
): LinkTarget {
  const revisions = revisionsIn(headers['if-match'])
  return { linkId: params.name, ownerId, domainIds, revisions, madeBy: apiKeyId }
}

/**
 * The revisions that an `If-Match` allows; undefined: any. Weak tags count as well, because proxies that compress
 * responses make tags weak.
 */
function revisionsIn(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  return ifMatch.split(',').flatMap((tag) => {
    const revision = /^(?:W\/)?"([1-9]\d{0,8})"$/.exec(tag.trim())?.[1]
    return revision === undefined ? [] : [Number(revision)]
  })
}
