import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Compilable } from 'kysely'
import { REQUEST_ID_HEADER } from '../contract/endpoints.ts'
import type { Database } from '../database/database.ts'
import { OverloadedError } from '../http/limits.ts'
import { createLogLimit } from '../http/log-limit.ts'
import { createRequestId } from '../http/request-context.ts'
import { createHttpServer, listen } from '../http/server.ts'
import { closeGracefully } from '../http/stopping.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { createPictures, type Pictures } from '../picture/pictures.ts'
import { sendPage } from '../web/pages.ts'
import { createDestinationChecks } from './destinations/destination-checks.ts'
import { docsRoutes } from './api/docs.ts'
import { badRequest, notFound, toEnvelope, toServiceError } from './api/errors.ts'
import { registerRateLimit } from './api/rate-limit.ts'
import { createReadTurns } from './api/owner-turns.ts'
import { apiRoutes } from './api/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { SIGN_IN_AT_ONCE } from './dashboard/sign-in.ts'
import { failedPage, fileRoutes, notFoundPage, unavailablePage } from './redirect/pages.ts'
import { previewImageRoutes } from './redirect/previews.ts'
import { qrCodeRoutes } from './redirect/qr-codes.ts'
import { redirectRoutes } from './redirect/routes.ts'
import { tlsAllowedRoute } from './redirect/tls-allowed.ts'
import { createAddresses, rememberPublicHost } from './store/addresses.ts'
import { EMPTY_BLOCKLIST, openBlocklist } from './store/blocklist.ts'
import { createChangedLinks } from './store/changed-links.ts'
import type { ServiceContext } from './store/context.ts'
import { countDead } from './store/destination-problems.ts'
import { checkPublicHostname } from './store/domains.ts'
import { startLinkIndexer } from './store/link-indexer.ts'
import { runBackfills } from './store/backfills.ts'
import { removeOldDestinations } from './store/link-history.ts'
import { createLinkWriter } from './store/link-writer.ts'
import { createNightlyRemoval } from './store/nightly-removal.ts'
import {
  provision,
  revokeProvisioned,
  type ExternalOrganization,
  type ProvisionedKey,
} from './store/provision.ts'
import { createToken, deleteOldTokens } from './store/sessions.ts'
import { createUsage } from './store/usage.ts'

// How long requests in flight can take when the service stops. Most supervisors kill a process ten seconds after they
// ask it to stop, and the last clicks still have to be written after these requests.
const GRACE_MS = 6_000

const RETRY_AFTER_S = 5

export interface ServiceOptions {
  database: Database
  publicUrl: string
  trustProxy?: string | undefined
  maxConnectionsPerAddress?: number | undefined
  blocklistPath?: string | undefined
  linkQuota?: number | undefined
  checksDestinations?: boolean | undefined
  clicksDays?: number | undefined
  stopping?: AbortSignal | undefined
  logger: FastifyBaseLogger
  pictures?: Pictures
  metrics?: Metrics | undefined
  now?: () => number
}

export interface Service {
  /** All hosts of SERVICE_PUBLIC_URL so far, the current one first. Short URLs on all of them work. */
  publicHosts: readonly [current: string, ...earlier: string[]]
  listen(at: { host: string; port: number }): Promise<string>
  /** Finishes the requests in flight. The database stays open. */
  close(): Promise<void>
  /** Creates a path, such as `/dashboard/sign-in/…#now`, that signs the administrator in, once and without a click. */
  createSignInLink(): Promise<string>
  provision(organization: ExternalOrganization): Promise<ProvisionedKey>
  /** @returns the statement that revokes the organization's key, for a transaction of the caller */
  withdraw(organizationId: string): Compilable
}

/** @throws if a domain record has the hostname of `publicUrl`, or if the blocklist can't be read */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { database, publicUrl, blocklistPath, linkQuota, logger, metrics, now = Date.now } = options
  const { db, write } = database
  await checkPublicHostname(db, createAddresses(publicUrl))
  const publicHosts = await rememberPublicHost(db, new URL(publicUrl).host, now())
  const addresses = createAddresses(publicUrl, publicHosts.slice(1))
  const context: ServiceContext = { ...database, addresses, now }
  const blockedHosts = blocklistPath ? await openBlocklist(blocklistPath, logger) : undefined
  const usage = createUsage({ write, logger, now, metrics: metrics?.clicks() })
  const changedLinks = createChangedLinks()
  database.watchLinks({
    changed: (linkIds) => changedLinks.announce(linkIds),
    missed: () => changedLinks.announceAll(),
    lost: (err) => logger.warn({ err }, 'changes of links by other processes can’t be seen'),
  })
  await removeOldDestinations(db, now())
  await deleteOldTokens(db, now())
  const background = startBackgroundWork(context, options)
  const server = createServer(options)
  registerErrorHandlers(server)
  const links = createLinkWriter(database, now, (linkIds) => changedLinks.announce(linkIds))
  const inTurn = createReadTurns()
  const { pictures = createPictures(logger) } = options
  registerRateLimit(server, context)
  const blocklist = blockedHosts ?? EMPTY_BLOCKLIST
  const parts = { ...context, inTurn, blocklist, links, pictures, logger }
  await server.register(apiRoutes, parts)
  await server.register(docsRoutes, { publicUrl })
  await server.register(fileRoutes)
  await server.register(dashboardRoutes, parts)
  await server.register(previewImageRoutes, parts)
  await server.register(qrCodeRoutes, context)
  await server.register(tlsAllowedRoute, context)
  const redirects = { usage, changedLinks, metrics: metrics?.redirects() }
  await server.register(redirectRoutes, { ...parts, ...redirects })
  return {
    publicHosts,
    listen: (at) => listen(server, { ...at, portVariable: 'SERVICE_PORT' }),
    async close() {
      blockedHosts?.close()
      await closeGracefully(server, GRACE_MS)
      await usage.close()
      await background.disposeAsync()
    },
    async createSignInLink() {
      const token = await createToken(db, 'sign_in_link', now())
      return `/dashboard/sign-in/${token}${SIGN_IN_AT_ONCE}`
    },
    provision: (organization) => provision(context, organization, linkQuota ?? null),
    withdraw: (organizationId) => revokeProvisioned(db, organizationId, now()),
  }
}

function startBackgroundWork(
  context: ServiceContext,
  { database, publicUrl, logger, metrics, checksDestinations, clicksDays }: ServiceOptions,
): AsyncDisposableStack {
  const started = new AsyncDisposableStack()
  const closing = new AbortController()
  const backfills = runBackfills(database, logger, closing.signal)
  started.defer(async () => {
    closing.abort()
    await backfills
  })
  started.defer(startLinkIndexer(database, logger))
  started.defer(createNightlyRemoval({ ...context, logger, clicksDays }).start())
  const destinations = metrics?.destinations()
  destinations?.watchDead(() => countDead(context.db))
  if (checksDestinations) {
    const options = { ...context, logger, publicUrl, metrics: destinations }
    started.defer(createDestinationChecks(options).start())
  }
  return started
}

function createServer(options: ServiceOptions): FastifyInstance {
  return createHttpServer({
    logger: options.logger,
    trustProxy: options.trustProxy,
    maxConnectionsPerAddress: options.maxConnectionsPerAddress,
    stopping: options.stopping,
    metrics: options.metrics?.http('service'),
    isReady: () => options.database.checkWritable().then(() => true),
    ignoreTrailingSlash: true,
    genReqId: requestId,
    // Fastify calls this, and no error handler, for a path that can't be decoded.
    frameworkErrors(_error, _request, reply) {
      reply.hijack()
      const head = { 'content-type': 'application/json', 'cache-control': 'no-store' }
      reply.raw.writeHead(400, head).end(JSON.stringify(toEnvelope(badRequest())))
    },
  })
}

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

// Uses the request ID of the client, if it is valid, so that the logs of the client and the service have the same ID.
function requestId({ headers: { [REQUEST_ID_HEADER]: id } }: IncomingMessage): string {
  return typeof id === 'string' && CLIENT_REQUEST_ID.test(id) ? id : createRequestId()
}

// Responds to errors with the envelope of spec §7, or with a page if a person opens a short URL or the dashboard.
function registerErrorHandlers(server: FastifyInstance): void {
  const logLimit = createLogLimit(server.log) // While the database is unavailable, nearly all requests fail.
  server.setErrorHandler((error, request, reply) => {
    const shown = toServiceError(error)
    // If the API key's rate limit was exceeded, the header is already set.
    if (shown.status === 429 && !reply.hasHeader('retry-after')) reply.header('retry-after', 1)
    if (shown.status === 503) {
      const isOverload = error instanceof OverloadedError
      const reason = isOverload ? 'a request was refused' : 'the database is not available'
      logLimit.write(reason, () => request.log.error({ err: error }, reason))
      reply.header('retry-after', RETRY_AFTER_S)
      if (isFromPerson(request)) return sendPage(reply, 503, unavailablePage)
    } else if (shown.status >= 500) {
      request.log.error({ err: error }, 'a request failed')
      if (isFromPerson(request)) return sendPage(reply, shown.status, failedPage)
    }
    return reply.code(shown.status).header(REQUEST_ID_HEADER, request.id).send(toEnvelope(shown))
  })
  server.setNotFoundHandler((request, reply) => {
    if (isFromPerson(request)) return sendPage(reply, 404, notFoundPage)
    throw notFound()
  })
}

function isFromPerson({ method, url }: FastifyRequest): boolean {
  if (/^\/dashboard(?:[/?]|$)/.test(url)) return true
  return (method === 'GET' || method === 'HEAD') && !/^\/api(?:[/?]|$)/.test(url)
}
