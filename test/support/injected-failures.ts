import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** How a call of the app to Slack fails when a test asks for it. */
export type Failure =
  /** Answers `{ok: false, error}`. */
  | { error: string }
  /** Answers with only an HTTP status; a 429 can have a `Retry-After`. */
  | { status: number; retryAfterSeconds?: number }
  /** Handles the call, then breaks the connection, so that the response is lost. */
  | { lost: true }
  /** Breaks the connection and does nothing. */
  | { reset: true }
  /** Never answers, and does nothing. */
  | { hangs: true }
  /** Answers after this many milliseconds. */
  | { delayMs: number }

/** Makes calls to a simulated Slack fail. They are not recorded as refusals. @param server will serve it */
export function injectFailures(server: FastifyInstance) {
  let waiting: { where: string; failure: Failure; left: number }[] = []
  let hanging = 0
  const losesAnswer = new Set<FastifyRequest>()

  server.addHook('preHandler', async (request, reply) => {
    const where = placeOf(request)
    const next = waiting.find((one) => one.where === where && one.left > 0)
    if (!next) return
    next.left -= 1
    const { failure } = next
    if ('delayMs' in failure) return sleep(failure.delayMs)
    if ('lost' in failure) return void losesAnswer.add(request)
    if ('error' in failure) return reply.send({ ok: false, error: failure.error })
    if ('status' in failure) {
      const { status, retryAfterSeconds } = failure
      if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
      const error = status === 429 ? 'ratelimited' : 'internal_error'
      return reply.code(status).send({ ok: false, error })
    }
    reply.hijack()
    if ('reset' in failure) return void reply.raw.destroy()
    hanging += 1
    reply.raw.once('close', () => (hanging -= 1))
  })
  server.addHook('onSend', async (request, reply) => {
    if (losesAnswer.delete(request)) reply.raw.destroy()
  })

  return {
    /**
     * Makes the next calls fail.
     *
     * @param where a method's name, `response_url`, `upload` or `download`
     */
    failNext: (where: string, failure: Failure, left = 1): void =>
      void waiting.push({ where, failure, left }),
    /** Makes no more calls fail. */
    stopFailing: (): void => void (waiting = []),
    /** How many of the app's calls wait for an answer that never comes. The app can end one by giving up. */
    hangingCalls: (): number => hanging,
  }
}

function placeOf({ routeOptions: { url = '' }, params }: FastifyRequest): string | undefined {
  if (url.endsWith('/api/:method')) return (params as { method: string }).method
  if (url.includes('/hooks/')) return 'response_url'
  if (url.includes('/upload/')) return 'upload'
  return url.includes('/files-pri/') ? 'download' : undefined
}
