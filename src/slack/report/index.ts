import { stackedChartText } from '../../chart/stacked-chart.ts'
import type { ReportQuery } from '../../contract/report.ts'
import { context } from '../block-kit/elements.ts'
import { mention } from '../block-kit/mrkdwn.ts'
import { chartMessage } from '../clicks/click-blocks.ts'
import { ACTIONS, REPORT_NAMES, REPORT_PERIODS } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { Listeners } from '../platform/listeners.ts'
import { NO_PICTURE } from '../platform/pictures.ts'
import { reportMessage, toReportChart } from './report-message.ts'
import { aboutText, decodeQuery, parseReportText } from './report-query.ts'
import { readReport } from './read-report.ts'

export function registerReport(listeners: Listeners, platform: LinkPlatform): void {
  const { chartSource, clock, doOnce, replies } = platform

  async function send(caller: Caller, target: ReplyTarget, query: ReportQuery, sharedBy?: string) {
    const shown = await readReport(platform, caller, query)
    const chart = toReportChart(shown)
    const source = shown.report.total_people > 0 ? chartSource(caller, chart) : NO_PICTURE
    await replies.sendWithPicture(caller.client, target, source, {
      build(place) {
        if (sharedBy === undefined) return reportMessage(shown, place)
        if (!place.direct) {
          return reportMessage(shown, place, [context(`Shared by ${mention(sharedBy)}`)])
        }
        throw new SlackInputError(
          'Slack didn’t let Backhalf share the report here. Type the command again, and share the new report.',
        )
      },
      buildPicture: (picture) => chartMessage(aboutText(query), stackedChartText(chart), picture),
    })
  }

  listeners.command('report', ({ caller, target, text }) =>
    send(caller, target, parseReportText(text, clock.now())),
  )
  for (const id of [...Object.values(REPORT_PERIODS), ...REPORT_NAMES, ACTIONS.reportBy]) {
    listeners.action(id, ({ caller, target, value }) =>
      send(caller, { ...target, replacesOriginal: true }, decodeQuery(value)),
    )
  }
  listeners.action(ACTIONS.shareReport, async ({ caller, target, userId, value, messageTs }) => {
    const key = ['share report', caller.workspace.id, userId, messageTs, value].join(' ')
    const inChannel = { ...target, inChannel: true }
    if (await doOnce(key, () => send(caller, inChannel, decodeQuery(value), userId))) return
    throw new SlackInputError(
      'You have already shared this report here, or it is being shared. To share it again, type the command again.',
    )
  })
}
