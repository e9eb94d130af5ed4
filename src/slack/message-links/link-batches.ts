import { createOperation } from '../../client/operation.ts'
import { LinkServiceError } from '../../client/errors.ts'
import { joinMessages } from '../../client/field-messages.ts'
import { inParallel } from '../../timing/in-parallel.ts'
import type { Caller } from '../platform/caller.ts'
import { explainError, isExpected } from '../platform/error-messages.ts'
import { fieldErrorText } from '../platform/field-errors.ts'
import type { Platform } from '../platform/platform.ts'
import type { Draft } from '../shorten/draft.ts'
import { DuplicateError } from '../shorten/duplicate/duplicate-error.ts'
import type { Shortener } from '../shorten/shortener.ts'
import type { BatchResult } from './links-created.ts'

/** How many links are made at the same time. */
const CONCURRENCY = 4

type Outcome = Omit<BatchResult, 'url'>

/**
 * Makes a link for each draft. A link that fails doesn't keep the others from being made. All of them
 * are one operation, with one deadline.
 *
 * @param slackId the ID of the view that Slack sent: the same ID makes the same links
 * @returns one result for each draft, in order
 */
export async function shortenBatch(
  { clock, logger }: Pick<Platform, 'clock' | 'logger'>,
  shortener: Pick<Shortener, 'shorten'>,
  caller: Caller,
  drafts: readonly (Draft & { destination_url: string })[],
  slackId: string,
  operation = createOperation({ clock }),
): Promise<BatchResult[]> {
  async function shortenOne(draft: Draft, index: number): Promise<Outcome> {
    try {
      return { created: await shortener.shorten(caller, draft, `${slackId}:${index}`, operation) }
    } catch (error) {
      if (error instanceof DuplicateError) return { duplicate: error.link }
      if (!isExpected(error)) logger.error({ err: error }, 'one of several links could not be made')
      const isUncertain = error instanceof LinkServiceError && error.mayHaveHappened
      return {
        failure: joinMessages(explainError(error, draft).map(fieldErrorText)),
        ...(isUncertain && { uncertain: true }),
      }
    }
  }

  return inParallel(drafts, CONCURRENCY, async (draft, index) => ({
    url: draft.destination_url,
    ...(await shortenOne(draft, index)),
  }))
}
