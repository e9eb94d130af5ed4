import type { KnownBlock } from '@slack/types'
import { rangeText } from '../../chart/click-figures.ts'
import { changeText } from '../../chart/report-figures.ts'
import type { LinkPage } from '../../client/link-client.ts'
import { timeOf } from '../../client/responses.ts'
import type { Report } from '../../contract/report.ts'
import { formatCount } from '../../web/numbers.ts'
import type { WeeklyReport } from '../../workspaces/weekly-report.ts'
import {
  actions,
  button,
  context,
  section,
  textMessage,
  type MessageContent,
} from '../block-kit/elements.ts'
import { link, moment, readableUrl } from '../block-kit/mrkdwn.ts'
import { ACTIONS, COMMAND } from '../ids.ts'
import { bestLinkBlocks } from '../report/report-blocks.ts'

/** How many links that end soon are named. */
const NAMED_ENDINGS = 5
const MAX_URL_LENGTH = 60

/** What is posted in the channel. @param report of a week, by link. @param ending links that end within the next week */
export function weeklyReportMessage(report: Report, ending: LinkPage | undefined): MessageContent {
  const range = rangeText(report.from, report.to)
  const clicks = formatCount(report.total_people, 'click')
  return {
    text: `Weekly report, ${range}: ${clicks}`,
    blocks: [
      section(`*Weekly report, ${range}*\n*${clicks}*\n${changeText(report)}`),
      ...bestLinkBlocks(report),
      ...(ending ? endingBlocks(ending) : []),
      context('Days are in UTC. Deleted links are left out.'),
      ...actions([button('Stop these reports', ACTIONS.stopWeeklyReports)]),
    ],
  }
}

/** The links that end first, as far as the page has them. */
function endingBlocks({ links, totalItems = links.length }: LinkPage): KnownBlock[] {
  const soonest = links.toSorted((one, other) => timeOf(one.expires_at) - timeOf(other.expires_at))
  const rows = soonest.slice(0, NAMED_ENDINGS).map(({ shortlink_url: url, expires_at }) => {
    return `•  ${link(url, readableUrl(url, MAX_URL_LENGTH))}  ·  ${moment(timeOf(expires_at))}`
  })
  const more = totalItems - rows.length
  if (more > 0) rows.push(`and ${more} more`)
  return rows.length > 0
    ? [section(['*Links that end within the next week*', ...rows].join('\n'))]
    : []
}

/** For the admin who set up reports that can't be posted anymore. */
export function endedNotice({ channel }: WeeklyReport): MessageContent {
  return textMessage(
    `:warning: Backhalf can’t post the weekly report in <#${channel}> anymore, so these reports have ended. It was removed from the channel, may no longer post there, or the channel was archived. To start them again, type \`/invite @Backhalf\` there or choose another channel, and then set them up in \`${COMMAND} settings\`.`,
  )
}

/** For the same admin, if a report was tried for too long. @param next when the next one is due, in milliseconds since 1970 */
export function skippedNotice({ channel }: WeeklyReport, next: number): MessageContent {
  return textMessage(
    `:warning: There is no weekly report in <#${channel}> this time. For a day, Backhalf couldn’t get the figures from the link service, or couldn’t post them. The next report is due on ${moment(next)}.`,
  )
}
