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
  const by = (group_by: ReportQuery['group_by']): Promise<Report> =>
    linkService.report(workspace, { ...query, group_by, limit: BEST_LINKS }, { operation })
  const [links, groups] = await Promise.all([
    by('link'),
    query.group_by === 'link' ? undefined : by(query.group_by),
  ])
  return { query, links, report: groups ?? links, now: clock.now() }
}
