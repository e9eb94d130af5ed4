import type { FastifyBaseLogger, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { createRequest } from '../../contract/link-requests.ts'
import * as endpoints from '../../contract/endpoints.ts'
import { listQuery } from '../../contract/list-query.ts'
import { createLogLimit } from '../../http/log-limit.ts'
import { inRequest } from '../../http/request-context.ts'
import type { LinkContext } from '../store/context.ts'
import { validateNewLink } from '../store/link-rules.ts'
import { ERASE_SCOPE, type Scope, SIGN_IN_SCOPE } from '../store/scopes.ts'
import { authenticate, readCreator, type Caller } from './authentication.ts'
import { fieldError, invalidFields, parseQuery, ServiceError } from './errors.ts'
import { formHash, readForm } from './form.ts'
import { getReport, parseReportQuery } from './reports.ts'
import { changeLink, getLinkClicks, parseClicksQuery, readLink, removeLink } from './single-link.ts'
import { createSignIn, endSessions, removePerson } from './people.ts'
import type { OwnerTurns } from './owner-turns.ts'
import { createdResponse, toError } from './shortlink.ts'
import { domainsQuery, listDomains, listLinks, readTags } from './list-links.ts'

const CALLER = 'caller'
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/

/** Anyone can cause any number of these responses: without a key, and with a key that is used too often. */
const UNLIMITED_REJECTIONS = [401, 429]

const LINK_PATH = `${endpoints.SHORTLINKS_PATH}/:name`

type Named = { Params: { name: string } }

/** Spec §4 has two operations, create and list. The others are ours. */
export function apiRoutes(
  context: LinkContext & { inTurn: OwnerTurns; logger: FastifyBaseLogger },
): FastifyPluginAsync {
  const { db, logger, inTurn, now, links, addresses } = context
  return async (scope) => {
    scope.removeAllContentTypeParsers()
    // Bodies are not read here: a missing key is reported before a wrong body.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))

    // Logs the result and the time it took, but no IP addresses and no headers.
    const limit = createLogLimit(logger)
    scope.addHook('onResponse', async (request, reply) => {
      const { statusCode: status } = reply
      // The end of a response is an event of its socket, outside of the request's context.
      const fields = { method: request.method, path: request.routeOptions.url, status }
      const text = `responded in ${Math.round(reply.elapsedTime)} ms`
      const line = (): void => inRequest(() => request.log.info(fields, text), request.id)
      if (UNLIMITED_REJECTIONS.includes(status))
        limit.write(`API requests answered ${status}`, line)
      else line()
    })

    // The order matters: first the key is checked, then its rate limit, then its permissions.
    scope.decorateRequest(CALLER)
    scope.addHook('onRequest', async (request, reply) => {
      reply.header(endpoints.REQUEST_ID_HEADER, request.id).header('cache-control', 'no-store')
      const caller = await authenticate(db, request.headers, now())
      request.setDecorator(CALLER, caller)
      request.bodyHolders = [`owner:${caller.ownerId}`]
      request.usedKey = caller
    })
    scope.addHook('onRequest', scope.limitRate)

    scope.post(endpoints.CREATE_PATH, async (request, reply) => {
      const caller = callerWith('shortlinks:create', request)
      const form = await readForm(request, createRequest)
      const creator = readCreator(caller, request)
      const link = await validateNewLink(context, { ...caller, creator }, form)
      if (!link) throw invalidFields(form.errors)
      const key = idempotencyKey(request)
      const repeatable = key !== undefined && {
        api_key_id: caller.apiKeyId,
        idempotency_key: key,
        request_hash: formHash(form),
      }
      const result = await links.create(
        link,
        repeatable
          ? (row) => ({ ...repeatable, answer: createdResponse(row, addresses) })
          : undefined,
      )
      reply.type('application/json')
      switch (result.outcome) {
        case 'created':
          return createdResponse(result.link, addresses)
        case 'repeated':
          if (repeatable && result.request_hash === repeatable.request_hash) return result.answer
          throw fieldError(
            'Idempotency-Key',
            'Another request has used this Idempotency-Key. Choose a new one.',
          )
        default:
          throw toError(result, addresses, caller.scopes.has('shortlinks:read'))
      }
    })

    scope.get(endpoints.LIST_PATH, async (request) => {
      const caller = callerWith('shortlinks:read', request)
      const query = parseQuery(listQuery, request.query)
      return inTurn(caller.ownerId, () => listLinks(context, caller, query))
    })

    scope.get(endpoints.DOMAINS_PATH, async (request) =>
      listDomains(context, requestCaller(request), parseQuery(domainsQuery, request.query)),
    )

    scope.get(endpoints.REPORTS_PATH, async (request) => {
      const caller = callerWith('shortlinks:read', request)
      const query = parseReportQuery(request.query, caller, now())
      return inTurn(caller.ownerId, () => getReport(context, caller, query))
    })

    scope.get(endpoints.TAGS_PATH, async (request) => {
      const caller = callerWith('shortlinks:read', request)
      return inTurn(caller.ownerId, () => readTags(context, caller))
    })

    scope.post(endpoints.SIGN_INS_PATH, async (request, reply) => {
      const caller = callerWith(SIGN_IN_SCOPE, request)
      return reply.code(201).send(await createSignIn(context, caller, request))
    })

    scope.delete(endpoints.SESSIONS_PATH, async (request) =>
      endSessions(context, callerWith(SIGN_IN_SCOPE, request), request.query),
    )

    scope.delete(`${endpoints.PEOPLE_PATH}/:id`, async (request) =>
      removePerson(context, callerWith(ERASE_SCOPE, request), request.params),
    )

    scope.get<Named>(LINK_PATH, async (request, reply) =>
      readLink(context, callerWith('shortlinks:read', request), request.params.name, reply),
    )

    scope.patch<Named>(LINK_PATH, async (request, reply) =>
      changeLink(context, callerWith('shortlinks:update', request), request, reply),
    )

    scope.delete<Named>(LINK_PATH, async (request) =>
      removeLink(context, callerWith('shortlinks:delete', request), request),
    )

    scope.get<Named>(`${LINK_PATH}/clicks`, async (request) => {
      const caller = callerWith('shortlinks:read', request)
      const range = parseClicksQuery(request.query, now())
      return inTurn(caller.ownerId, () =>
        getLinkClicks(context, caller, request.params.name, range),
      )
    })
  }
}

function callerWith(scope: Scope, request: FastifyRequest): Caller {
  const caller = requestCaller(request)
  if (caller.scopes.has(scope)) return caller
  throw new ServiceError(
    'PERMISSION_DENIED',
    `This API key does not allow ${scope}. Use one with more permissions.`,
  )
}

function requestCaller(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>(CALLER)
}

function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers[endpoints.IDEMPOTENCY_KEY_HEADER]
  if (key === undefined || (typeof key === 'string' && IDEMPOTENCY_KEY.test(key))) return key
  throw fieldError('Idempotency-Key', 'Use 1 to 255 printable ASCII characters.')
}
