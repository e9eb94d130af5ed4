import type { FastifyReply } from 'fastify'
import { validate as isUuid } from 'uuid'
import type { z } from 'zod'
import { type doneEnvelope, type linkEnvelope } from '../../contract/extension-calls.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../contract/endpoints.ts'
import { createRequest, updateRequest } from '../../contract/link-requests.ts'
import { findKeyName, findShownLink, type LinkRow } from '../store/links.ts'
import type { LinkTarget } from '../store/change-link.ts'
import { countClicks } from '../store/clicks.ts'
import { findDestinationProblem } from '../store/destination-problems.ts'
import type { ServiceContext } from '../store/context.ts'
import { createLink as writeLink } from '../store/create-link.ts'
import { validateChanges, validateNewLink, type LinkInput } from '../store/link-rules.ts'
import { readCreator, type ApiRequest, type Handler } from './handler.ts'
import { fieldError, invalidFields, linkNotFound } from './errors.ts'
import { formHash, readForm } from './form.ts'
import { createdResponse, successEnvelope, toError, toDetailedShortlink } from './shortlink.ts'

export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/

export const createLink: Handler = async (context, request, reply) => {
  const { addresses } = context
  const { caller } = request
  const form = await readForm(request, createRequest)
  const creator = readCreator(request)
  const link = await validateNewLink(context, { ...caller, creator }, form)
  if (!link) throw invalidFields(form.errors)
  const repeatable = readRepeatable(request, form)
  const result = await context.links.create(link, (planned, time) =>
    writeLink(
      planned,
      time,
      repeatable && { ...repeatable, answer: createdResponse(planned.row, addresses) },
    ),
  )
  reply.type('application/json')
  if (result.outcome === 'created') return createdResponse(result.link, addresses)
  if (result.outcome !== 'repeated') throw toError(result, addresses, caller)
  if (repeatable && result.request_hash === repeatable.request_hash) return result.answer
  throw fieldError(
    'Idempotency-Key',
    'Another request has used this Idempotency-Key. Choose a new one.',
  )
}

function readRepeatable({ caller, headers }: ApiRequest, form: LinkInput) {
  const key = headers[IDEMPOTENCY_KEY_HEADER]
  if (key === undefined) return undefined
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) {
    return { api_key_id: caller.apiKeyId, idempotency_key: key, request_hash: formHash(form) }
  }
  throw fieldError('Idempotency-Key', 'Use 1 to 255 printable ASCII characters.')
}

export async function requireLink(
  { db }: ServiceContext,
  { caller, params: { name } }: ApiRequest,
) {
  const link = isUuid(name) ? await findShownLink(db, caller, name) : undefined
  if (!link || link.alias_of !== null) throw linkNotFound()
  if (link.deleted_at !== null) throw linkNotFound(link.deleted_at)
  return link
}

export const readLink: Handler = async (context, request, reply) =>
  respond(context, await requireLink(context, request), 'Shortlink found.', reply)

export const changeLink: Handler = async (context, request, reply) => {
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

export const removeLink: Handler = async ({ links, addresses }, request) => {
  if (!isUuid(request.params.name)) throw linkNotFound()
  const result = await links.delete(linkTarget(request))
  if (result.outcome !== 'deleted') throw toError(result, addresses, request.caller)
  return successEnvelope('Shortlink deleted.', {}) satisfies z.infer<typeof doneEnvelope>
}

async function respond(
  { db, addresses }: ServiceContext,
  link: LinkRow,
  message: string,
  reply: FastifyReply,
) {
  const people = await countClicks(db, link.id)
  const problem = await findDestinationProblem(db, link)
  const { key_name = null } = (await findKeyName(db, link.made_by)) ?? {}
  const destination_status = problem && problem.status !== 'failing' ? problem.status : null
  const row = { ...link, people, key_name, destination_status }
  reply.header('etag', `"${link.revision}"`)
  const shortlink = toDetailedShortlink(row, addresses)
  return successEnvelope(message, { shortlink }) satisfies z.infer<typeof linkEnvelope>
}

function linkTarget(request: ApiRequest): LinkTarget {
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
