import type { Report, ReportQuery } from '../../contract/report.ts'
import { createOperation } from '../../port/operation.ts'
import { COMMAND } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { BEST_LINKS, type ShownReport } from './report-message.ts'

export async function readReport(
  { clock, linkService, permissions }: LinkPlatform,
  caller: Caller,
  query: ReportQuery,
): Promise<ShownReport> {
  await permissions.checkMaySee(caller)
  const { workspace } = caller
  const { reports } = await linkService.requireCapabilities(workspace, 'has reports')
  if (!reports) {
    throw new SlackInputError(
      `This workspace’s link service has no reports. To see the clicks on a link, type ${COMMAND} clicks and the link.`,
    )
  }
  const operation = createOperation({ clock })
  const readGroupedBy = (group_by: ReportQuery['group_by']): Promise<Report> =>
    linkService.report(workspace, { ...query, group_by, limit: BEST_LINKS }, { operation })
  const [links, report] = await Promise.all([
    readGroupedBy('link'),
    query.group_by === 'link' ? undefined : readGroupedBy(query.group_by),
  ])
  return { query, links, report: report ?? links, now: clock.now() }
}
