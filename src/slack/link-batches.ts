import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { RateLimitedError } from '../client/errors/rate-limited-error.ts'
import { AlreadyShortenedError } from './already-shortened-error.ts'
import type { BatchedLink } from './blocks/links-created.ts'
import type { Caller } from './caller.ts'
import { explain, isForeseen } from './explain.ts'
import type { Draft } from './input/draft.ts'
import type { Shortener } from './shortener.ts'

/** Links that are being made at the same time. */
const AT_ONCE = 4

/** How long one link waits in all for a service that wants fewer requests, in milliseconds. */
const WAIT_AT_MOST_MS = 60_000

/** Where a service asks for less than that, in milliseconds. */
const WAIT_AT_LEAST_MS = 500

/** Makes several links. */
export interface LinkBatches {
  /**
   * Makes a link for each draft, and says for each how that went: one that fails keeps none of
   * the others from being made.
   *
   * @param slackId the view's id that Slack sent: the same one makes the same links
   */
  shorten(
    caller: Caller,
    drafts: readonly (Draft & { destination_url: string })[],
    slackId: string,
  ): Promise<BatchedLink[]>
}

export function createLinkBatches({
  shortener,
  logger,
  pause = sleep,
}: {
  shortener: Pick<Shortener, 'shorten'>
  logger: Logger
  pause?: (ms: number) => Promise<unknown>
}): LinkBatches {
  return {
    async shorten(caller, drafts, slackId) {
      /** Where the service wanted fewer requests: until it takes more. */
      let held: Promise<unknown> = Promise.resolve()
      /** Why it is asked for nothing any more. */
      let givenUp: Outcome | undefined

      const one = async (draft: Draft, number: number): Promise<Outcome> => {
        let waited = 0
        for (;;) {
          await held
          if (givenUp) return givenUp
          try {
            return { created: await shortener.shorten(caller, draft, `${slackId}:${number}`) }
          } catch (error) {
            if (error instanceof AlreadyShortenedError) return { existing: error.existing }
            if (!(error instanceof RateLimitedError)) return failure(error, draft, logger)
            const ms = Math.max(error.retryAfterMs, WAIT_AT_LEAST_MS)
            if (waited + ms > WAIT_AT_MOST_MS) {
              givenUp = failure(error, draft, logger)
              return givenUp
            }
            waited += ms
            held = pause(ms)
          }
        }
      }

      const outcomes: BatchedLink[] = []
      const waiting = drafts.entries()
      const worker = async (): Promise<void> => {
        for (const [number, draft] of waiting) {
          outcomes[number] = { url: draft.destination_url, ...(await one(draft, number)) }
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, worker))
      return outcomes
    },
  }
}

type Outcome = Omit<BatchedLink, 'url'>

function failure(error: unknown, draft: Draft, logger: Logger): Outcome {
  if (!isForeseen(error)) logger.error({ err: error }, 'one of several links could not be made')
  const messages = explain(error, draft).map(({ message }) => message)
  return { failure: messages.join(' ') }
}
