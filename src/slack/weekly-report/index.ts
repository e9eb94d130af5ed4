import type { KnownBlock } from '@slack/types'
import { type LinkPage, timeOf } from '../../port/links.ts'
import { rangeOf } from '../../contract/report.ts'
import { DAY_MS } from '../../timing/days.ts'
import { formatCount } from '../../web/numbers.ts'
import { nextReportAt, withoutReport, type DueReport } from '../../workspaces/settings.ts'
import { actions, button, context, LIMITS, plain, section } from '../block-kit/elements.ts'
import type { MessageContent } from '../block-kit/messages.ts'
import { link, mention, moment, readableUrl, shownHost } from '../block-kit/mrkdwn.ts'
import { ACTIONS, COMMAND } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import { createDueWork, type DueWork } from '../platform/due-work.ts'
import { postTo } from '../platform/replies.ts'
import type { ClientFor } from '../platform/slack-client.ts'
import { isTimeout, slackErrorCode } from '../platform/slack-errors.ts'
import { BEST_LINKS, reportMessage } from '../report/report-message.ts'

// A report that could not be posted within a day is left out.
const LATEST_MS = DAY_MS
const RETRY_MS = 30 * 60_000

// Slack's error codes after which the app can't post in the channel anymore, for example because it was removed.
const LOST_CHANNEL_CODES = /^(?:not_in_channel|channel_not_found|is_archived|restricted_action)/

const READ_EXPIRING = 100
const NAMED_EXPIRING = 5
const MAX_URL_LENGTH = 60

const STOP = actions([button('Stop these reports', ACTIONS.stopWeeklyReports)])

export function createWeeklyReports(platform: LinkPlatform, clientFor: ClientFor): DueWork {
  const { clock, linkService, logger, settings } = platform

  /** @returns undefined if there were no clicks */
  async function buildMessage(id: string, dueAt: number, setBy: string) {
    const capabilities = await linkService.capabilities({ id })
    if (!capabilities.reports) throw new Error('the link service offers no reports')
    const range = rangeOf('last 7 days', dueAt - DAY_MS)
    const query = { ...range, group_by: 'link', limit: BEST_LINKS } as const
    const report = await linkService.report({ id }, query)
    if (report.total_people === 0) return undefined
    const now = clock.now()
    const expires_before = new Date(now + 7 * DAY_MS).toISOString()
    const expiring = capabilities.expiresBefore
      ? expiringBlocks(await linkService.list({ id }, { expires_before, per_page: READ_EXPIRING }))
      : []
    const shown = { query, report, links: report, now }
    const below = [...expiring, context(`${mention(setBy)} set up these weekly reports.`), ...STOP]
    const { text, blocks } = reportMessage(shown, { picture: undefined, direct: true }, below)
    const title: KnownBlock = { type: 'header', text: plain('Weekly report', LIMITS.headerText) }
    return { text: `Weekly report. ${text}`, blocks: [title, ...blocks] }
  }

  async function post({ workspaceId: id, at, report }: DueReport): Promise<void> {
    const now = clock.now()
    const next = nextReportAt(report, now)
    // The next report is planned before this one is posted. If this process then ends, no other posts the report again.
    if (!(await settings.moveReport(id, at, next))) return
    // After a failure, `at` is the time of the retry. The time at which the report was due is computed from it.
    const dueAt = nextReportAt(report, at - LATEST_MS - 1)
    if (now - dueAt > LATEST_MS) return
    try {
      const message = await buildMessage(id, dueAt, report.setBy)
      if (!message) return
      const client = await clientFor(id)
      await postTo(client, report.channel, message)
    } catch (err) {
      logger.warn({ err, workspaceId: id }, 'a weekly report could not be posted')
      const isEnded = LOST_CHANNEL_CODES.test(slackErrorCode(err) ?? '')
      if (!isEnded && now + RETRY_MS - dueAt <= LATEST_MS) {
        // After a timeout, Slack might have posted the report, so it is not tried again.
        if (!isTimeout(err)) await settings.moveReport(id, next, now + RETRY_MS)
        return
      }
      if (isEnded) await settings.update(id, report.setBy, withoutReport)
      const notice = problemNotice(report.channel, isEnded ? undefined : next)
      await clientFor(id)
        .then((client) => postTo(client, report.setBy, notice))
        .catch((error: unknown) => logger.warn({ err: error }, 'an admin could not be told'))
    }
  }

  return createDueWork(platform, {
    due: (limit) => settings.dueReports(limit),
    work: post,
    failure: 'could not post the weekly reports that are due',
  })
}

function expiringBlocks({ links, totalItems = links.length }: LinkPage): KnownBlock[] {
  const rows = links
    .map((expiring) => ({ ...expiring, end: timeOf(expiring.expires_at) }))
    .sort((a, b) => a.end - b.end)
    .slice(0, NAMED_EXPIRING)
    .map(({ shortlink_url: url, destination_url: destination, end }) => {
      const shown = link(url, readableUrl(url, MAX_URL_LENGTH))
      return `• ${shown} → ${shownHost(destination)}  ·  ${moment(end)}`
    })
  if (rows.length === 0) return []
  const others = totalItems - rows.length
  if (others > 0) rows.push(`and ${formatCount(others, 'other')}`)
  return [section(['*Links that expire within the next week*', ...rows].join('\n'))]
}

function problemNotice(channel: string, next: number | undefined): MessageContent {
  const text =
    next === undefined
      ? `:warning: Backhalf can’t post the weekly report in <#${channel}> anymore, so these reports have ended. Either someone removed Backhalf, or the channel was archived or restricted. To start them again, type \`/invite @Backhalf\` there or choose another channel, and set them up in \`${COMMAND} settings\`.`
      : `:warning: There is no weekly report in <#${channel}> this time. Backhalf couldn’t get the figures from the link service within a day, or couldn’t post them. The next report is due on ${moment(next)}.`
  return { text, blocks: [section(text), ...(next === undefined ? [] : STOP)] }
}
