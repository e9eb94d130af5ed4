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
  /** Answers after this many milliseconds. */
  | { delayMs: number }

/** The failures that a test has asked for. They are not recorded as refusals. */
export interface InjectedFailures {
  /** @param where a method's name, or `response_url` */
  add(where: string, failure: Failure, times: number): void
  take: (where: string) => Failure | undefined
}

export function createInjectedFailures(): InjectedFailures {
  const waiting = new Map<string, Failure[]>()
  return {
    add(where, failure, times) {
      const added = Array<Failure>(times).fill(failure)
      waiting.set(where, [...(waiting.get(where) ?? []), ...added])
    },
    take: (where) => waiting.get(where)?.shift(),
  }
}

/**
 * Makes a call fail.
 *
 * @param call handles the call
 * @returns whether the call is finished: answered, or cut off
 */
export async function injectFailure(
  failure: Failure | undefined,
  reply: FastifyReply,
  call: () => unknown,
): Promise<boolean> {
  if (!failure) return false
  if ('delayMs' in failure) {
    await sleep(failure.delayMs)
    return false
  }
  if ('lost' in failure) {
    call()
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
