import { z } from 'zod'
import { MAX_CLICK_DAYS, type clicksEnvelope } from '../../contract/extension-calls.ts'
import { formatCount } from '../../web/numbers.ts'
import {
  dayOf,
  type DayRange,
  daysUntil,
  lengthOf,
  readClickReport,
} from '../store/click-report.ts'
import type { ServiceContext } from '../store/context.ts'
import type { Caller } from './authentication.ts'
import { createFieldErrors, parseQuery } from './errors.ts'
import { requireLink } from './single-link.ts'

const DEFAULT_DAYS = 30

const DATE_RULE = 'Use a date from 1970 on, such as 2027-03-01.'

const day = z.iso.date(DATE_RULE).refine((date) => date >= '1970', DATE_RULE)

/** Which days to count (ours, beyond the specification). */
export const clicksQuery = z.strictObject({
  from: day
    .describe(`The first day, in UTC. By default, the range has ${DEFAULT_DAYS} days.`)
    .optional(),
  to: day
    .describe(`The last day. By default, today. A range has at most ${MAX_CLICK_DAYS} days.`)
    .optional(),
})

/**
 * Parses the query of a link's clicks.
 *
 * @param now the time in milliseconds since 1970
 * @throws ServiceError VALIDATION_ERROR with every invalid or unknown parameter
 */
export function parseClicksQuery(query: unknown, now: number): DayRange {
  const { to = dayOf(now), from = daysUntil(to, DEFAULT_DAYS).from } = parseQuery(
    clicksQuery,
    query,
  )
  const errors = createFieldErrors()
  const length = lengthOf({ from, to })
  if (length < 1) errors.add('from', `Use a day that is not after ${to}.`)
  if (length > MAX_CLICK_DAYS) errors.add('from', `Ask for at most ${MAX_CLICK_DAYS} days.`)
  errors.throwIfAny()
  return { from, to }
}

/**
 * Returns the clicks on one of the caller's shortlinks.
 *
 * @param name the link's ID
 * @throws ServiceError NOT_FOUND
 */
export async function getLinkClicks(
  context: ServiceContext,
  caller: Caller,
  name: string,
  range: DayRange,
): Promise<z.infer<typeof clicksEnvelope>> {
  const link = await requireLink(context, caller, name)
  const clicks = await readClickReport(context, link.id, range)
  const { from, to, total_people: people } = clicks
  const message = `${formatCount(people, 'click')} by people from ${from} to ${to}.`
  return { data: { status: 'success', message, clicks } }
}
