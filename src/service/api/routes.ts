import type { FastifyBaseLogger, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { createRequest } from '../../contract/link-requests.ts'
import * as endpoints from '../../contract/endpoints.ts'
import { createLogLimit } from '../../http/log-limit.ts'
import { inRequest } from '../../http/request-context.ts'
import type { LinkContext } from '../store/context.ts'
import { validateNewLink } from '../store/link-rules.ts'
import { ERASE_SCOPE, type Scope, SIGN_IN_SCOPE } from '../store/scopes.ts'
import { authenticate, readCreator } from './authentication.ts'
import { fieldError, invalidFields, ServiceError } from './errors.ts'
import { formHash, readForm } from './form.ts'
import { getReport } from './reports.ts'
import { changeLink, getLinkClicks, readLink, removeLink, type Named } from './single-link.ts'
import { createSignIn, endSessions, removePerson } from './people.ts'
import type { OwnerTurns } from './owner-turns.ts'
import { createdResponse, toError } from './shortlink.ts'
import { listDomains, listLinks, readTags } from './list-links.ts'

export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/

// Anyone without a key can cause any number of these responses, so only some of them are logged.
const SAMPLED_STATUSES = [401, 429]

const LINK_PATH = `${endpoints.SHORTLINKS_PATH}/:name`

declare module 'fastify' {
  interface FastifyContextConfig {
    requiredScope?: Scope | 'none'
  }
}

const requires = (requiredScope: Scope | 'none') => ({ config: { requiredScope } })

const READS = requires('shortlinks:read')

/** Spec §4 defines two of the routes, create and list. The others are our extensions. */
export function apiRoutes(
  context: LinkContext & { inTurn: OwnerTurns; logger: FastifyBaseLogger },
): FastifyPluginAsync {
  const { db, logger, inTurn, now, links, addresses } = context
  return async (scope) => {
    scope.removeAllContentTypeParsers()
    // The routes read the bodies themselves, so that a missing key is reported before a wrong body.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))

    // Logs the result and the time it took, but no IP addresses and no headers.
    const logLimit = createLogLimit(logger)
    scope.addHook('onResponse', async (request, reply) => {
      const { statusCode: status } = reply
      // The response ends in an event of its socket, outside of the request's context, so the ID is set again.
      const fields = { method: request.method, path: request.routeOptions.url, status }
      const text = `responded in ${Math.round(reply.elapsedTime)} ms`
      const log = (): void => inRequest(() => request.log.info(fields, text), request.id)
      if (SAMPLED_STATUSES.includes(status)) logLimit.write(`API requests answered ${status}`, log)
      else log()
    })

    // The order matters: first the key is checked, then its rate limit, then its permissions.
    scope.decorateRequest('caller')
    scope.addHook('onRequest', async (request, reply) => {
      reply.header(endpoints.REQUEST_ID_HEADER, request.id).header('cache-control', 'no-store')
      const caller = await authenticate(db, request.headers, now())
      request.caller = caller
      request.bodyHolders = [`owner:${caller.ownerId}`]
      request.usedKey = caller
    })
    scope.addHook('onRequest', scope.limitRate)
    scope.addHook('onRoute', ({ url, config }) => {
      if (!config?.requiredScope) throw new Error(`${url} does not say which scope it requires`)
    })
    scope.addHook('onRequest', async ({ caller, routeOptions }) => {
      const { requiredScope: required = 'none' } = routeOptions.config
      if (required === 'none' || caller.scopes.has(required)) return
      throw new ServiceError(
        'PERMISSION_DENIED',
        `This API key does not allow ${required}. Use one with more permissions.`,
      )
    })

    scope.post(endpoints.CREATE_PATH, requires('shortlinks:create'), async (request, reply) => {
      const { caller } = request
      const form = await readForm(request, createRequest)
      const creator = readCreator(request)
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
      if (result.outcome === 'created') return createdResponse(result.link, addresses)
      if (result.outcome !== 'repeated') throw toError(result, addresses, caller)
      if (repeatable && result.request_hash === repeatable.request_hash) return result.answer
      throw fieldError(
        'Idempotency-Key',
        'Another request has used this Idempotency-Key. Choose a new one.',
      )
    })

    const longReads: [path: string, read: (request: FastifyRequest<Named>) => Promise<object>][] = [
      [endpoints.LIST_PATH, ({ caller, query }) => listLinks(context, caller, query)],
      [endpoints.REPORTS_PATH, ({ caller, query }) => getReport(context, caller, query)],
      [endpoints.TAGS_PATH, ({ caller }) => readTags(context, caller)],
      [`${LINK_PATH}/clicks`, (request) => getLinkClicks(context, request)],
    ]
    for (const [path, read] of longReads) {
      scope.get<Named>(path, READS, async (request) =>
        inTurn(request.caller.ownerId, () => read(request)),
      )
    }

    scope.get(endpoints.DOMAINS_PATH, requires('none'), async ({ caller, query }) =>
      listDomains(context, caller, query),
    )

    scope.post(endpoints.SIGN_INS_PATH, requires(SIGN_IN_SCOPE), async (request, reply) =>
      reply.code(201).send(await createSignIn(context, request)),
    )

    scope.delete(endpoints.SESSIONS_PATH, requires(SIGN_IN_SCOPE), async ({ caller, query }) =>
      endSessions(context, caller, query),
    )

    const personPath = `${endpoints.PEOPLE_PATH}/:id`
    scope.delete(personPath, requires(ERASE_SCOPE), async ({ caller, params }) =>
      removePerson(context, caller, params),
    )

    scope.get<Named>(LINK_PATH, READS, async (request, reply) => readLink(context, request, reply))

    scope.patch<Named>(LINK_PATH, requires('shortlinks:update'), async (request, reply) =>
      changeLink(context, request, reply),
    )

    scope.delete<Named>(LINK_PATH, requires('shortlinks:delete'), async (request) =>
      removeLink(context, request),
    )
  }
}

function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers[endpoints.IDEMPOTENCY_KEY_HEADER]
  if (key === undefined || (typeof key === 'string' && IDEMPOTENCY_KEY.test(key))) return key
  throw fieldError('Idempotency-Key', 'Use 1 to 255 printable ASCII characters.')
}
