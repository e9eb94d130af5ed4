import type { z } from 'zod'
import { reportQuery, type reportEnvelope } from '../../contract/report.ts'
import { formatCount } from '../../web/numbers.ts'
import { reportRange } from '../store/clicks.ts'
import type { ServiceContext } from '../store/context.ts'
import { readReport } from '../store/report.ts'
import type { Caller } from './authentication.ts'
import { fieldError, parseQuery, ServiceError } from './errors.ts'
import { succeeded } from './shortlink.ts'

export async function getReport(context: ServiceContext, caller: Caller, query: unknown) {
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
  const { from, to, total_people: people } = report
  const message = `${formatCount(people, 'click')} by people from ${from} to ${to}.`
  return succeeded(message, { report }) satisfies z.infer<typeof reportEnvelope>
}
