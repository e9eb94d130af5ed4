import { RateLimitedError } from '../../client/errors.ts'
import type { Caller } from '../platform/caller.ts'
import { explainError, isExpected } from '../platform/error-messages.ts'
import type { Platform } from '../platform/platform.ts'
import type { Draft } from '../shorten/draft.ts'
import { DuplicateError } from '../shorten/duplicate/duplicate-error.ts'
import type { Shortener } from '../shorten/shortener.ts'
import type { BatchResult } from './links-created.ts'

/** How many links are made at the same time. */
const CONCURRENCY = 4

/** How long one link waits in total for a service that asks for fewer requests, in milliseconds. */
const MAX_WAIT_MS = 60_000

/** How long a link waits if the service asks for less than this, in milliseconds. */
const MIN_WAIT_MS = 500

type Outcome = Omit<BatchResult, 'url'>

/** Makes several links. */
export interface LinkBatches {
  /**
   * Makes a link for each draft. A link that fails doesn't keep the others from being made.
   *
   * @param slackId the ID of the view that Slack sent: the same ID makes the same links
   * @returns one result for each draft, in order
   */
  shorten(
    caller: Caller,
    drafts: readonly (Draft & { destination_url: string })[],
    slackId: string,
  ): Promise<BatchResult[]>
}

export function createLinkBatches(
  { clock, logger }: Pick<Platform, 'clock' | 'logger'>,
  shortener: Pick<Shortener, 'shorten'>,
): LinkBatches {
  function failure(error: unknown, draft: Draft): Outcome {
    if (!isExpected(error)) logger.error({ err: error }, 'one of several links could not be made')
    const messages = explainError(error, draft).map(({ message }) => message)
    return { failure: messages.join(' ') }
  }

  return {
    async shorten(caller, drafts, slackId) {
      /** Resolves when the service accepts requests again. */
      let pause: Promise<unknown> = Promise.resolve()
      /** Set once no more requests are sent to the service. */
      let gaveUp: Outcome | undefined

      async function shortenOne(draft: Draft, index: number): Promise<Outcome> {
        let waited = 0
        for (;;) {
          await pause
          if (gaveUp) return gaveUp
          try {
            return { created: await shortener.shorten(caller, draft, `${slackId}:${index}`) }
          } catch (error) {
            if (error instanceof DuplicateError) return { duplicate: error.link }
            if (!(error instanceof RateLimitedError)) return failure(error, draft)
            const ms = Math.max(error.retryAfterMs, MIN_WAIT_MS)
            if (waited + ms > MAX_WAIT_MS) {
              gaveUp = failure(error, draft)
              return gaveUp
            }
            waited += ms
            pause = clock.sleep(ms)
          }
        }
      }

      const results: BatchResult[] = []
      const queue = drafts.entries()
      const worker = async (): Promise<void> => {
        for (const [index, draft] of queue) {
          results[index] = { url: draft.destination_url, ...(await shortenOne(draft, index)) }
        }
      }
      await Promise.all(Array.from({ length: CONCURRENCY }, worker))
      return results
    },
  }
}
