import type { IncomingHttpHeaders } from 'node:http'
import { AuthorizationError, verifySlackRequest, type App, type Receiver } from '@slack/bolt'
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { OverloadedError } from '../../http/overloaded-error.ts'
import { createLogLimit } from '../../http/log-limit.ts'

/** A form with every field filled in is far smaller. */
const MAX_BODY_BYTES = 256 * 1024

/** Slack's connection test (`ssl_check`) is not signed, and smaller than this. */
const MAX_UNSIGNED_BYTES = 100

const BODY_WITHIN_MS = 3_000

/** Bolt refuses older signatures, too. */
const MAX_AGE_S = 300

export interface HttpReceiver extends Receiver {
  isConnected: () => true
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

/** Replaces Bolt's receiver, which crashes on a signed `null` body, and refuses encoded paths and content-type parameters. */
export function createHttpReceiver(signingSecret: string): HttpReceiver {
  let app: App | undefined
  return {
    init(given) {
      app = given
    },
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    isConnected: () => true,

    async answer({ body, headers }, reply) {
      const text = typeof body === 'string' ? body : ''
      const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
      const fields = isForm ? Object.fromEntries(new URLSearchParams(text)) : undefined
      if (fields?.['ssl_check'] === '1') return reply.send() // Slack does not sign it.
      checkSignature(signingSecret, text, headers)
      const parsed: Record<string, unknown> =
        fields && fields['payload'] === undefined
          ? fields
          : parseObject(fields?.['payload'] ?? text)
      const { type, challenge } = parsed
      if (type === 'url_verification') return reply.send({ challenge })
      const { 'x-slack-retry-num': retryNum, 'x-slack-retry-reason': retryReason } = headers
      const { 'x-slack-request-timestamp': sentAt } = headers
      let status = 404 // No listener acknowledged it.
      try {
        await app?.processEvent({
          body: parsed,
          // A request can wait, for example for a paused process. Slack sends whole seconds, so this is up to 1 s too short.
          customProperties: {
            start: performance.now() - Math.max(0, Date.now() - (Number(sentAt) + 1) * 1_000),
          },
          ack: async (response: unknown) => void reply.send(response),
          ...(retryNum !== undefined && { retryNum: Number(retryNum) }),
          ...(retryReason !== undefined && { retryReason: String(retryReason) }),
        })
      } catch (error) {
        status = error instanceof AuthorizationError ? 401 : 400
      }
      return reply.sent ? reply : reply.code(status).send()
    },
  }
}

/** An answer is undefined while the app can't accept requests. The response is then a 503. */
export function slackRoutes(
  answers: Record<string, () => HttpReceiver['answer'] | undefined>,
  logger: Logger,
): FastifyPluginAsync {
  const limit = createLogLimit(logger)
  return async (scope) => {
    scope.removeAllContentTypeParsers()
    // Slack's signature covers the text of the body.
    const options = { parseAs: 'string' as const, bodyLimit: MAX_BODY_BYTES }
    scope.addContentTypeParser('*', options, (_request, text, done) => done(null, text))
    scope.setErrorHandler((err: FastifyError, _request, reply) => {
      const { statusCode: status = 500, message: reason } = err
      if (status >= 500 && !(err instanceof OverloadedError))
        logger.error({ err }, 'a request could not be answered')
      else limit.write('refused', () => logger.warn({ status, reason }, 'a request was refused'))
      return reply.code(status).send()
    })
    // Strangers can't make the app read their bodies.
    scope.addHook('onRequest', async (request, reply) => {
      const { headers, raw, method } = request
      if (method !== 'POST') {
        reply.header('allow', 'POST')
        throw refusal(405, 'Slack sends only POST requests')
      }
      request.bodyHolders = ['slack:']
      // Slack ignores later responses.
      setTimeout(() => raw.complete || raw.destroy(), BODY_WITHIN_MS).unref()
      const { 'x-slack-signature': signature, 'x-slack-request-timestamp': time } = headers
      const age = Date.now() / 1_000 - Number(time)
      if (/^v0=[\da-f]{64}$/.test(String(signature)) && age <= MAX_AGE_S) return
      if (Number(headers['content-length'] ?? Infinity) <= MAX_UNSIGNED_BYTES) return
      reply.header('connection', 'close')
      throw refusal(401, 'the request has no current signature of Slack')
    })
    for (const [path, answer] of Object.entries(answers)) {
      scope.all(
        path,
        async (request, reply) => answer()?.(request, reply) ?? reply.code(503).send(),
      )
    }
  }
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
