import { z } from 'zod'
import {
  type clicksEnvelope,
  type LinkClicks,
  MAX_CLICK_DAYS,
  utcDay,
} from '../../contract/extension-calls.ts'
import { type Report, reportQuery, type reportEnvelope } from '../../contract/report.ts'
import { dayOf, type DayRange, daysUntil } from '../../timing/days.ts'
import { formatCount } from '../../web/numbers.ts'
import { rangeError, readClickReport, reportRange } from '../store/clicks.ts'
import { readReport } from '../store/report.ts'
import type { Handler } from './handler.ts'
import { fieldError, parseQuery, ServiceError } from './errors.ts'
import { successEnvelope } from './shortlink.ts'
import { requireLink } from './single-link.ts'

export const getReport: Handler = async (context, { caller, query }) => {
  const parsed = parseQuery(reportQuery, query)
  const { error, ...range } = reportRange(parsed, context.now())
  if (error !== undefined) throw fieldError('from', error)
  const isAboutCreators = parsed.group_by === 'creator' || parsed.creator !== undefined
  if (isAboutCreators && !caller.scopes.has('shortlinks:update')) {
    throw new ServiceError(
      'PERMISSION_DENIED',
      'Reports about creators need shortlinks:update, which this API key does not allow. Leave out creator, or use a key with more permissions.',
    )
  }
  const report = await readReport(context, caller, { ...parsed, ...range })
  return successEnvelope(summary(report), { report }) satisfies z.infer<typeof reportEnvelope>
}

const DEFAULT_DAYS = 30

export const clicksQuery = z.strictObject({
  from: utcDay
    .describe(`The first day, in UTC. By default, the range has ${DEFAULT_DAYS} days.`)
    .optional(),
  to: utcDay
    .describe(`The last day. By default, today. A range has at most ${MAX_CLICK_DAYS} days.`)
    .optional(),
})

export function parseClicksQuery(query: unknown, now: number): DayRange {
  const parsed = parseQuery(clicksQuery, query)
  const { to = dayOf(now), from = daysUntil(to, DEFAULT_DAYS).from } = parsed
  const error = rangeError({ from, to })
  if (error !== undefined) throw fieldError('from', error)
  return { from, to }
}

export const getLinkClicks: Handler = async (context, request) => {
  const range = parseClicksQuery(request.query, context.now())
  const link = await requireLink(context, request)
  const clicks = await readClickReport(context, link.id, range)
  return successEnvelope(summary(clicks), { clicks }) satisfies z.infer<typeof clicksEnvelope>
}

function summary({ from, to, total_people: people }: LinkClicks | Report): string {
  return `${formatCount(people, 'click')} by people from ${from} to ${to}.`
}
