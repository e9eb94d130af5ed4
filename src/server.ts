import type { RequestListener } from 'node:http'
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { installRoutes } from './install-routes.ts'
import { qrPng } from './qr/png.ts'
import type { Installer } from './slack/install/installer.ts'
import type { QrLinks } from './slack/qr-links.ts'

/** Images by address never change: their address holds what they show. */
const QR_CACHE = 'public, max-age=31536000, immutable'

/** Slack's limit for an image's address, in characters: a longer one is never given out. */
const MAX_QR_NAME = 3000

export interface AppServerOptions {
  logger: FastifyBaseLogger
  trustProxy: string | undefined
  qrLinks: QrLinks
  /** Bolt's listener, or undefined while the app starts or stops; absent in Socket Mode. */
  slackListener: (() => RequestListener | undefined) | undefined
  /** Installs the app, or undefined while it starts or stops; absent with one bot token. */
  installer?: (() => Installer | undefined) | undefined
  /** Whether everything that the app stands on answers. */
  isReady: () => Promise<boolean>
}

/** The app's HTTP server: Slack's requests, QR images, and two addresses that tell its health. */
export async function createAppServer(options: AppServerOptions): Promise<FastifyInstance> {
  const server = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy ?? false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_QR_NAME },
  })
  server.get('/healthz', () => ({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) =>
    (await options.isReady()) ? { status: 'ok' } : reply.code(503).send({ status: 'not ready' }),
  )
  server.get<{ Params: { file: string } }>('/qr/:file', async ({ params }, reply) => {
    const content = options.qrLinks.content(params.file)
    if (!content) return reply.callNotFound()
    const png = await qrPng(content.text, { color: content.color })
    return reply.type('image/png').header('cache-control', QR_CACHE).send(png)
  })
  const { slackListener, installer } = options
  if (slackListener) await server.register(slackRoute, { slackListener })
  if (installer) await server.register(installRoutes, { installer })
  return server
}

async function slackRoute(
  scope: FastifyInstance,
  { slackListener }: { slackListener: () => RequestListener | undefined },
): Promise<void> {
  // Bolt reads the body itself: the signature is made over its bytes.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.post('/slack/events', (request, reply) => {
    const listener = slackListener()
    if (!listener) return reply.code(503).send()
    reply.hijack()
    listener(request.raw, reply.raw)
    return reply
  })
}
