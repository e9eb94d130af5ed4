import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import * as endpoints from '../../contract/endpoints.ts'
import type { Db } from '../../database/schema.ts'
import { createLogLimit } from '../../http/log-limit.ts'
import { inRequest } from '../../http/request-context.ts'
import { hashApiKey, isApiKey } from '../store/api-key.ts'
import { findApiKey } from '../store/api-keys.ts'
import { ERASE_SCOPE, type Scope, SIGN_IN_SCOPE, toAccess } from '../store/scopes.ts'
import type { ApiContext, Caller, Handler } from './handler.ts'
import { ServiceError } from './errors.ts'
import { getLinkClicks, getReport } from './reports.ts'
import { changeLink, createLink, readLink, removeLink } from './single-link.ts'
import { createSignIn, endSessions, removePerson } from './people.ts'
import { listDomains, listLinks, readTags } from './list-links.ts'

// Anyone without a key can cause any number of these responses, so only some of them are logged.
const SAMPLED_STATUSES = [401, 429]

const LINK_PATH = `${endpoints.SHORTLINKS_PATH}/:name`

const inTurn =
  (read: Handler): Handler =>
  (context, request, reply) =>
    context.inTurn(request.caller.ownerId, () => read(context, request, reply))

/** Spec §4 defines two of the routes, create and list. The others are our extensions. */
const ROUTES: [method: HTTPMethods, url: string, scope: Scope | 'none', handler: Handler][] = [
  ['POST', endpoints.CREATE_PATH, 'shortlinks:create', createLink],
  ['GET', endpoints.LIST_PATH, 'shortlinks:read', inTurn(listLinks)],
  ['GET', endpoints.REPORTS_PATH, 'shortlinks:read', inTurn(getReport)],
  ['GET', endpoints.TAGS_PATH, 'shortlinks:read', inTurn(readTags)],
  ['GET', `${LINK_PATH}/clicks`, 'shortlinks:read', inTurn(getLinkClicks)],
  ['GET', endpoints.DOMAINS_PATH, 'none', listDomains],
  ['POST', endpoints.SIGN_INS_PATH, SIGN_IN_SCOPE, createSignIn],
  ['DELETE', endpoints.SESSIONS_PATH, SIGN_IN_SCOPE, endSessions],
  ['DELETE', `${endpoints.PEOPLE_PATH}/:id`, ERASE_SCOPE, removePerson],
  ['GET', LINK_PATH, 'shortlinks:read', readLink],
  ['PATCH', LINK_PATH, 'shortlinks:update', changeLink],
  ['DELETE', LINK_PATH, 'shortlinks:delete', removeLink],
]

export async function apiRoutes(scope: FastifyInstance, context: ApiContext) {
  const { db, logger, now } = context
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
    const caller = await authenticate(db, request, now())
    request.caller = caller
    request.bodyHolders = [`owner:${caller.ownerId}`]
    scope.limitRate(caller, reply)
  })
  for (const [method, url, required, handler] of ROUTES) {
    scope.route<{ Params: { name: string } }>({
      method,
      url,
      onRequest: async ({ caller }) => {
        if (required === 'none' || caller.scopes.has(required)) return
        throw new ServiceError(
          'PERMISSION_DENIED',
          `This API key does not allow ${required}. Use one with more permissions.`,
        )
      },
      handler: (request, reply) => handler(context, request, reply),
    })
  }
}

/** @throws ServiceError AUTHENTICATION_REQUIRED, the same for a missing, unknown, revoked or expired key (spec §5) */
async function authenticate(db: Db, request: FastifyRequest, now: number): Promise<Caller> {
  const key = request.headers[endpoints.API_KEY_HEADER]
  const isWellFormed = typeof key === 'string' && isApiKey(key)
  const row = isWellFormed && (await findApiKey(db, hashApiKey(key), now))
  if (row) return { ...toAccess(row), maxLinks: row.max_links }
  throw new ServiceError('AUTHENTICATION_REQUIRED', 'Send a valid API key in the X-API-Key header.')
}
