import type { FastifyPluginAsync } from 'fastify'
import { isFullHostname } from '../../http/public-hostname.ts'
import { normalizeHostname } from '../store/addresses.ts'
import type { ServiceContext } from '../store/context.ts'
import { findByHostname } from '../store/domains.ts'

/** Each shows that the request came through a proxy, so a stranger could have sent it. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'via']

/**
 * `GET /tls-allowed?domain=HOST`: whether short URLs can be on a hostname. Caddy asks this before it requests a certificate
 * for the hostname (deploy/Caddyfile). If it gets no answer, for example because the database is unavailable, it requests
 * none.
 */
export function tlsAllowedRoute({ db, addresses }: ServiceContext): FastifyPluginAsync {
  return async (scope) => {
    scope.get<{ Querystring: { domain?: unknown } }>('/tls-allowed', async (request, reply) => {
      if (PROXY_HEADERS.some((name) => name in request.headers)) return reply.callNotFound()
      const hostname = normalizeHostname(String(request.query.domain))
      const isAllowed =
        addresses.isBuiltIn(hostname) ||
        (isFullHostname(hostname) && (await findByHostname(db, hostname)))
      return reply.code(isAllowed ? 200 : 404).send(isAllowed ? 'allowed\n' : 'not allowed\n')
    })
  }
}
