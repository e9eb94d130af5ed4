import type { IncomingHttpHeaders } from 'node:http'
import { AuthorizationError, verifySlackRequest, type App, type Receiver } from '@slack/bolt'
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { OverloadedError } from '../../http/limits.ts'
import { createLogLimit } from '../../http/log-limit.ts'

const MAX_BODY_BYTES = 256 * 1024 // more than any form has

const MAX_UNSIGNED_BYTES = 100 // Slack's connection test (`ssl_check`) is smaller.
const BODY_TIMEOUT_MS = 3_000 // Slack doesn't wait for a response for longer, either.
const MAX_SIGNATURE_AGE_S = 300 // Bolt refuses older signatures, too.

export interface HttpReceiver extends Receiver {
  isConnected: () => true
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

/**
 * Receives Slack's requests over HTTP: checks the signature, parses the body, and passes it to Bolt's app. It replaces
 * Bolt's own receiver, which crashes on a signed `null` body, and rejects encoded paths and content-type parameters.
 */
export function createHttpReceiver(signingSecret: string): HttpReceiver {
  let app: App | undefined
  return {
    init(boltApp) {
      app = boltApp
    },
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    isConnected: () => true,

    async handle({ body, headers }, reply) {
      const text = typeof body === 'string' ? body : ''
      // Slack doesn't sign its connection test.
      if (isForm(headers) && new URLSearchParams(text).get('ssl_check') === '1') return reply.send()
      checkSignature(signingSecret, text, headers)
      const parsed = parseBody(text, headers)
      const { type, challenge } = parsed
      if (type === 'url_verification') return reply.send({ challenge })
      const { 'x-slack-retry-num': retryNum, 'x-slack-retry-reason': retryReason } = headers
      let status = 404 // No listener acknowledged it.
      try {
        await app?.processEvent({
          body: parsed,
          customProperties: { start: performance.now() - ageMs(headers) },
          ack: async (response: unknown) => void reply.send(response),
          ...(retryNum !== undefined && { retryNum: Number(retryNum) }),
          ...(retryReason !== undefined && { retryReason: String(retryReason) }),
        })
      } catch (error) {
        // bolt-app.ts has logged it.
        status = error instanceof AuthorizationError ? 401 : 400
      }
      return reply.sent ? reply : reply.code(status).send()
    },
  }
}

/** Rejects requests without a recent signature before reading the body. A path without a handler responds with 503. */
export function slackRoutes(
  handlers: Record<string, () => HttpReceiver['handle'] | undefined>,
  logger: Logger,
): FastifyPluginAsync {
  const logLimit = createLogLimit(logger)
  return async (scope) => {
    scope.removeAllContentTypeParsers()
    // The body is kept as text, because Slack's signature covers it.
    const options = { parseAs: 'string' as const, bodyLimit: MAX_BODY_BYTES }
    scope.addContentTypeParser('*', options, (_request, text, done) => done(null, text))
    scope.setErrorHandler((err: FastifyError, _request, reply) => {
      const { statusCode: status = 500, message: reason } = err
      if (status >= 500 && !(err instanceof OverloadedError)) {
        logger.error({ err }, 'a request could not be answered')
      } else {
        // Anyone can send such requests, so they are not all logged.
        logLimit.write('refused', () => logger.warn({ status, reason }, 'a request was refused'))
      }
      return reply.code(status).send()
    })
    scope.addHook('onRequest', async (request, reply) => {
      const { headers, raw, method } = request
      if (method !== 'POST') {
        reply.header('allow', 'POST')
        throw refusal(405, 'Slack sends only POST requests')
      }
      request.bodyHolders = ['slack:'] // Slack has a share of its own of the memory for bodies (http/limits.ts).
      setTimeout(() => {
        if (!raw.complete) raw.destroy()
      }, BODY_TIMEOUT_MS).unref()
      const { 'x-slack-signature': signature, 'x-slack-request-timestamp': time } = headers
      const age = Date.now() / 1_000 - Number(time)
      if (/^v0=[\da-f]{64}$/.test(String(signature)) && age <= MAX_SIGNATURE_AGE_S) return
      if (Number(headers['content-length'] ?? Infinity) <= MAX_UNSIGNED_BYTES) return
      reply.header('connection', 'close')
      throw refusal(401, 'the request has no recent Slack signature')
    })
    for (const [path, handler] of Object.entries(handlers)) {
      scope.all(
        path,
        async (request, reply) => handler()?.(request, reply) ?? reply.code(503).send(),
      )
    }
  }
}

/** Parses JSON (events), a form (commands), or a form whose field `payload` is JSON (buttons and views). */
function parseBody(text: string, headers: IncomingHttpHeaders): Record<string, unknown> {
  if (!isForm(headers)) return parseObject(text)
  const fields = Object.fromEntries(new URLSearchParams(text))
  return fields['payload'] === undefined ? fields : parseObject(fields['payload'])
}

function isForm(headers: IncomingHttpHeaders): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
}

/** How long ago Slack sent a request, which might have waited for a paused process. Up to one second too low. */
function ageMs({ 'x-slack-request-timestamp': seconds }: IncomingHttpHeaders): number {
  return Math.max(0, Date.now() - (Number(seconds) + 1) * 1_000)
}

export function checkSignature(
  signingSecret: string,
  body: string,
  { 'x-slack-request-timestamp': time, 'x-slack-signature': signature }: IncomingHttpHeaders,
): void {
  try {
    verifySlackRequest({
      signingSecret,
      body,
      headers: {
        'x-slack-request-timestamp': Number(time),
        'x-slack-signature': String(signature),
      },
    })
  } catch (error) {
    throw refusal(401, (error as Error).message)
  }
}

function parseObject(json: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(json))
  } catch {
    throw refusal(400, 'the body is not an object')
  }
}

export function refusal(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode })
}
