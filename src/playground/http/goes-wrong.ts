import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Fault } from '../faults.ts'

/**
 * Lets a call go wrong as a test has asked for.
 *
 * @param work what the call would do
 * @returns whether the call has been answered, or never will be
 */
export async function goesWrong(
  fault: Fault | undefined,
  reply: FastifyReply,
  work: () => unknown,
): Promise<boolean> {
  if (!fault) return false
  if ('delayMs' in fault) {
    await sleep(fault.delayMs)
    return false
  }
  if ('lost' in fault) {
    work()
    reply.hijack()
    reply.raw.destroy()
  } else if ('error' in fault) {
    await reply.send({ ok: false, error: fault.error })
  } else {
    const { status, retryAfterSeconds } = fault
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    const error = status === 429 ? 'ratelimited' : 'internal_error'
    await reply.code(status).send({ ok: false, error })
  }
  return true
}
