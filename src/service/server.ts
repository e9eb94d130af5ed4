import { randomUUID } from 'node:crypto'
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify'
import type { Database } from '../database/database.ts'
import { createAddresses } from './addresses.ts'
import { NO_BLOCKLIST, openBlocklist } from './blocklist.ts'
import { answerBrokenRequest } from './broken-requests.ts'
import { checkPublicHostname } from './check-public-hostname.ts'
import { asServiceError, envelopeOf, notFound, unreadable } from './error-envelope.ts'
import { dashboard } from './dashboard/dashboard.ts'
import { createFollowedLinks } from './followed-links.ts'
import { createLinks } from './links.ts'
import { pages } from './pages/pages.ts'
import { createPreviewCards } from './preview-cards.ts'
import { provision, type Newcomer, type Provision } from './provision.ts'
import { apiRoutes } from './api/routes.ts'
import { followRoutes } from './routes/follow.ts'
import { healthRoutes } from './routes/health.ts'
import { pageRoutes, registerPolicies, sendNotFoundPage, sendPage } from './routes/pages.ts'
import { previewImageRoutes } from './redirect/preview-images.ts'
import { qrRoutes } from './routes/qr.ts'
import { createUsage } from './store/usage.ts'

/** How long a request may take to arrive, in milliseconds. */
const REQUEST_TIMEOUT_MS = 60_000

/**
 * How long requests under way may take to end once the service closes, in milliseconds. Most
 * supervisors kill after ten seconds, and clicks are written after that.
 */
const GRACE_MS = 8_000

/** Longer than any URL that Node's HTTP parser lets through: an odd path gets our own 404. */
const MAX_PATH_LENGTH = 20_000

/** What the link service runs on. */
export interface ServiceOptions {
  database: Database
  /** Where the world reaches the service: the built-in domain record's short URLs begin with it. */
  publicUrl: string
  /** Whose `X-Forwarded-*` to believe: addresses and networks, comma-separated. */
  trustProxy?: string | undefined
  /** A file of hostnames that no link may lead to, one a line. */
  blocklistPath?: string | undefined
  logger: FastifyBaseLogger
  /** Milliseconds since 1970. */
  now?: () => number
}

/** The link service: the interface under /api/v1, and the short URLs. */
export interface Service {
  /** @returns the address that it listens on. Port 0 takes a free one. */
  listen(at: { host: string; port: number }): Promise<string>
  /** Takes no more requests and finishes those under way. The database stays open. */
  close(): Promise<void>
  /** An organization and an API key for somebody new, known by an id of theirs. */
  provision(newcomer: Newcomer): Promise<Provision>
}

/** @throws when a domain record has the hostname of `publicUrl`, or the blocklist can't be read */
export async function createService({
  database,
  publicUrl,
  trustProxy,
  blocklistPath,
  logger,
  now = Date.now,
}: ServiceOptions): Promise<Service> {
  const addresses = createAddresses(publicUrl)
  await checkPublicHostname(database, addresses)
  const blocklist = blocklistPath ? await openBlocklist(blocklistPath, logger) : NO_BLOCKLIST
  const server = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy ?? false,
    genReqId: () => randomUUID(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PATH_LENGTH, ignoreTrailingSlash: true },
    // Refused by us, in the envelope.
    http: { requireHostHeader: false },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
    frameworkErrors: (error, _request, reply) => {
      const refusal = asServiceError(error)
      const body = Buffer.from(JSON.stringify(envelopeOf(refusal)))
      reply.hijack()
      reply.raw
        .writeHead(refusal.status, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': body.length,
        })
        .end(body)
    },
  })
  answerErrors(server)
  server.addHook('onRequest', async ({ raw }) => {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') throw unreadable()
  })
  // Whoever expects more than 100-continue gets an answer all the same (RFC 9110, 10.1.1).
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )
  await registerPolicies(server)
  const usage = createUsage({ database, logger, now })
  const links = createLinks({ database, addresses, now })
  await server.register(apiRoutes({ database, addresses, links, usage, blocklist, now }))
  await server.register(healthRoutes(database))
  await server.register(pageRoutes(publicUrl))
  await server.register(dashboard({ database, addresses, now }))
  await server.register(previewImageRoutes(database))
  await server.register(qrRoutes({ database, addresses }))
  await server.register(
    followRoutes({
      followed: createFollowedLinks({ database, addresses }),
      cards: createPreviewCards({ database, addresses }),
      usage,
      blocklist,
    }),
  )
  return {
    listen: (at) => server.listen(at),
    async close() {
      blocklist.close()
      server.server.keepAliveTimeout = 1 // No waiting for another request on a connection.
      const cut = setTimeout(() => server.server.closeAllConnections(), GRACE_MS)
      await server.close().finally(() => clearTimeout(cut))
      await usage.close()
    },
    provision: (newcomer) => provision(database, addresses, newcomer, now()),
  }
}

/** Every error is the envelope of spec §7, but people get pages: who follows a link, or signs in. */
function answerErrors(server: FastifyInstance): void {
  server.setErrorHandler((error, request, reply) => {
    const refusal = asServiceError(error)
    if (refusal.status >= 500) {
      request.log.error({ err: error }, 'a request failed')
      if (isForPeople(request)) return sendPage(reply, refusal.status, pages.failed)
    }
    return reply.code(refusal.status).header('x-request-id', request.id).send(envelopeOf(refusal))
  })
  server.setNotFoundHandler((request, reply) => {
    if (isForPeople(request)) return sendNotFoundPage(reply)
    throw notFound()
  })
}

function isForPeople({ method, url }: FastifyRequest): boolean {
  if (/^\/dashboard(?:[/?]|$)/.test(url)) return true
  return (method === 'GET' || method === 'HEAD') && !/^\/api(?:[/?]|$)/.test(url)
}
