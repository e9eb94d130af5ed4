import type { FastifyInstance } from 'fastify'
import { isFullHostname } from '../../http/public-hostname.ts'
import { normalizeHostname } from '../store/addresses.ts'
import type { ServiceContext } from '../store/context.ts'
import { findByHostname } from '../store/domains.ts'

/** A request with any of these headers came through a proxy, so a stranger might have sent it. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'via']

/**
 * Tells Caddy whether a hostname belongs to this service. Caddy asks before it requests a certificate, and requests one
 * only if the status of the response is 200 (deploy/Caddyfile).
 */
export async function tlsAllowedRoute(scope: FastifyInstance, { db, addresses }: ServiceContext) {
  scope.get<{ Querystring: { domain?: unknown } }>('/tls-allowed', async (request, reply) => {
    if (PROXY_HEADERS.some((name) => name in request.headers)) return reply.callNotFound()
    const hostname = normalizeHostname(String(request.query.domain))
    const isAllowed =
      addresses.isBuiltIn(hostname) ||
      (isFullHostname(hostname) && (await findByHostname(db, hostname)))
    return reply.code(isAllowed ? 200 : 404).send(isAllowed ? 'allowed\n' : 'not allowed\n')
  })
}
