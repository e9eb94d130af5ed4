import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** How a Web API method or a response_url fails when a test asks for it. */
export type Failure =
  /** Answers `{ok: false, error}`. */
  | { error: string }
  /** Answers with only an HTTP status; a 429 can have a `Retry-After`. */
  | { status: number; retryAfterSeconds?: number }
  /** Handles the call, then breaks the connection, so that the answer is lost. */
  | { lost: true }
  /** Breaks the connection and does nothing. */
  | { reset: true }
  /** Never answers, and does nothing. */
  | { hangs: true }
  /** Answers after this many milliseconds. */
  | { delayMs: number }

/** The failures that a test has asked for. They are not recorded as refusals. */
export interface InjectedFailures {
  /** @param where a method's name, `response_url`, `upload` or `download` */
  add(where: string, failure: Failure, times: number): void
  take: (where: string) => Failure | undefined
  /** Forgets the failures that have not happened yet. */
  clear(): void
  /** How many calls wait for an answer that never comes. The app may end one by giving up. */
  hanging(): number
  /** Leaves a call without an answer. */
  hang(reply: FastifyReply): void
}

export function createInjectedFailures(): InjectedFailures {
  const waiting = new Map<string, { failure: Failure; left: number }[]>()
  let hanging = 0
  return {
    add(where, failure, left) {
      waiting.set(where, [...(waiting.get(where) ?? []), { failure, left }])
    },
    take(where) {
      const next = waiting.get(where)?.find(({ left }) => left > 0)
      if (!next) return undefined
      next.left -= 1
      return next.failure
    },
    clear: () => waiting.clear(),
    hanging: () => hanging,
    hang(reply) {
      hanging += 1
      reply.hijack()
      reply.raw.once('close', () => (hanging -= 1))
    },
  }
}

/**
 * Makes a call fail.
 *
 * @param call handles the call
 * @returns whether the call is finished: answered, or cut off
 */
export async function injectFailure(
  failures: InjectedFailures,
  where: string,
  reply: FastifyReply,
  call: () => unknown,
): Promise<boolean> {
  const failure = failures.take(where)
  if (!failure) return false
  if ('hangs' in failure) {
    failures.hang(reply)
    return true
  }
  if ('delayMs' in failure) {
    await sleep(failure.delayMs)
    return false
  }
  if ('lost' in failure || 'reset' in failure) {
    if ('lost' in failure) call()
    reply.hijack()
    reply.raw.destroy()
  } else if ('error' in failure) {
    await reply.send({ ok: false, error: failure.error })
  } else {
    const { status, retryAfterSeconds } = failure
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    const error = status === 429 ? 'ratelimited' : 'internal_error'
    await reply.code(status).send({ ok: false, error })
  }
  return true
}
