import { failureOf, joinMessages, LinkServiceError } from '../../port/failures.ts'
import { hasBackHalf, timeOf } from '../../port/links.ts'
import { findNewestTo } from '../../port/link-service.ts'
import { DAY_MS } from '../../timing/days.ts'
import { NotConnectedError } from '../../workspaces/connection.ts'
import type { ImportOutcome, ImportRow } from '../../workspaces/import-rows.ts'
import type { Imports, StoredImport } from '../../workspaces/imports.ts'
import type { ShortenPlatform } from '../links/links.ts'
import { isTemporary as isTemporaryInSlack } from '../platform/slack-errors.ts'
import type { Caller } from '../platform/caller.ts'
import { errorTexts, isExpected } from '../platform/error-messages.ts'
import { SlackUnavailableError } from '../platform/field-errors.ts'
import type { Draft } from '../shorten/draft.ts'
import { DuplicateError } from '../shorten/duplicate/find-duplicate.ts'
import { shortenLink } from '../shorten/shorten-link.ts'

const PAUSES_MS = [2_000, 10_000, 30_000, 50_000]

// After this many tries, a row fails. With these pauses, rows survive an outage of a quarter of an hour.
const MAX_TRIES = 20

const MAX_PAUSE_MS = DAY_MS / 2
const CLOCK_SKEW_MS = 60_000

interface Pause {
  ms: number
  reason: string
}

export interface RowImporter {
  /** Chooses the rows to try next: those without an outcome, and first those that have failed least often. */
  next(rows: readonly ImportRow[], count: number): ImportRow[]
  /** Creates links for rows, and stores the outcomes. @returns how long to wait if the link service fails or is busy */
  run(caller: Caller, rows: readonly ImportRow[]): Promise<Pause | undefined>
}

export function createRowImporter(
  platform: ShortenPlatform,
  { store, stored }: { store: Imports; stored: StoredImport },
): RowImporter {
  const { linkService, logger } = platform
  const tries = new Map<number, number>()
  let failedBatchesInARow = 0
  let finalReason: string | undefined // Why no other row can succeed, for example because the API key was revoked.

  async function storeOutcome(rows: readonly ImportRow[], outcome: ImportOutcome | undefined) {
    await store.note(
      stored,
      rows.map(({ number }) => [number, outcome]),
    )
    for (const row of rows) row.outcome = outcome
  }

  /** Finds the link that an earlier try of a row created, if its response got lost and its back-half is now taken. */
  async function findEarlierLink({ workspace }: Caller, draft: Draft): Promise<string | undefined> {
    const found = await findNewestTo(
      draft.destination_url,
      (query) => linkService.list(workspace, query),
      (link) =>
        hasBackHalf(new URL(link.shortlink_url), draft.back_half) &&
        (link.title === undefined || link.title === draft.title) &&
        !(timeOf(link.created_at) < stored.createdAt - CLOCK_SKEW_MS),
    )
    return found?.shortlink_url
  }

  /**
   * Creates the link of a row.
   * @param wasSent true if an earlier try might have created the link
   * @throws an error after which another try might work. Every other error is an outcome
   */
  async function createLink(caller: Caller, row: ImportRow, wasSent: boolean) {
    const draft = JSON.parse(row.draft) as Draft
    try {
      const slackId = `import ${stored.id} ${row.number}`
      const link = await shortenLink(platform, caller, draft, slackId, { approval: 'refuse' })
      return { shortUrl: link.shortlink_url, existed: false }
    } catch (error) {
      if (error instanceof DuplicateError) {
        return { shortUrl: error.link.shortlink_url, existed: true }
      }
      if (isTemporary(error)) throw error
      if (isFinal(error)) finalReason ??= joinMessages(errorTexts(error))
      const isTaken = failureOf(error, 'back_half_taken', 'conflict') !== undefined
      const shortUrl = isTaken && wasSent ? await findEarlierLink(caller, draft) : undefined
      if (shortUrl !== undefined) return { shortUrl, existed: false }
      if (!isExpected(error)) logger.error({ err: error }, 'a row of a file could not be imported')
      return { reason: joinMessages(errorTexts(error)) }
    }
  }

  const countTries = ({ number }: ImportRow): number => tries.get(number) ?? 0

  /** @returns the error if the row will be tried again; undefined if it has an outcome */
  async function tryRow(caller: Caller, row: ImportRow, wasSent: boolean): Promise<unknown> {
    try {
      await storeOutcome([row], await createLink(caller, row, wasSent))
      return undefined
    } catch (error) {
      if (!isTemporary(error)) throw error
      if (!failureOf(error, 'busy')) tries.set(row.number, countTries(row) + 1)
      if (countTries(row) >= MAX_TRIES) {
        await storeOutcome([row], { reason: joinMessages(errorTexts(error)) })
        return undefined
      }
      // If the link might have been created, the row stays `started`.
      const mayHaveHappened = error instanceof LinkServiceError && error.mayHaveHappened
      if (!wasSent && !mayHaveHappened) await storeOutcome([row], undefined)
      return error
    }
  }

  return {
    next: (rows, count) =>
      rows
        .filter(({ outcome }) => outcome === undefined || outcome === 'started')
        .toSorted((a, b) => countTries(a) - countTries(b))
        .slice(0, count),

    async run(caller, rows) {
      if (finalReason !== undefined) {
        await storeOutcome(rows, { reason: finalReason })
        return undefined
      }
      const wereSent = rows.map(({ outcome }) => outcome === 'started')
      // If this process ends while it creates the links, the next one knows which of them might exist.
      await storeOutcome(rows, 'started')
      const results = await Promise.all(
        rows.map((row, index) => tryRow(caller, row, wereSent[index] === true)),
      )
      const errors = results.filter((error) => error !== undefined)
      const busy = errors.map((error) => failureOf(error, 'busy')).find(Boolean)
      failedBatchesInARow = errors.length < rows.length ? 0 : failedBatchesInARow + 1
      if (busy) {
        const ms = Math.min(busy.retryAfterMs, MAX_PAUSE_MS)
        return { ms, reason: 'The link service asks Backhalf to wait.' }
      }
      if (failedBatchesInARow === 0) return undefined
      const ms = PAUSES_MS[Math.min(failedBatchesInARow, PAUSES_MS.length) - 1] ?? 0
      return { ms, reason: joinMessages(errorTexts(errors[0])) }
    },
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof SlackUnavailableError ||
  isTemporaryInSlack(error) ||
  failureOf(error, 'busy', 'failed', 'unreachable', 'timeout', 'unreadable') !== undefined

const isFinal = (error: unknown): boolean =>
  error instanceof NotConnectedError ||
  failureOf(error, 'unauthorized', 'not_permitted', 'quota', 'wrong_address') !== undefined
