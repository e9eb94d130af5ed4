import { withoutReport, type DueReport } from '../../workspaces/settings.ts'
import { nextReportAt, type WeeklyReport } from '../../workspaces/weekly-report.ts'
import type { MessageContent } from '../block-kit/elements.ts'
import type { Links } from '../links/links.ts'
import { createDueWork } from '../platform/due-work.ts'
import type { Platform } from '../platform/platform.ts'
import { NO_UNFURLS, sendDirectly } from '../platform/replies.ts'
import type { ClientFor } from '../platform/slack-client.ts'
import { isTimeout, slackErrorCode } from '../platform/slack-errors.ts'
import { BEST_LINKS } from '../report/report-blocks.ts'
import { endedNotice, skippedNotice, weeklyReportMessage } from './weekly-report-message.ts'

const DAY_MS = 86_400_000

/** How late a report may be posted, and how long to wait after a failure, in milliseconds. */
const LATEST_MS = DAY_MS
const RETRY_MS = 30 * 60_000

/** How many links that end soon are read, to find those that end first. */
const MAX_LISTED = 100

/** What Slack answers if the app was removed from a channel or may no longer post there, or if the channel was archived. */
const CHANNEL_CODES = /^(?:not_in_channel|channel_not_found|is_archived|restricted_action)/

/** Posts the weekly reports of all workspaces, each once among all processes. */
export function createWeeklyReports(
  { clock, linkService, logger, settings, tasks }: Platform & Links,
  clientFor: ClientFor,
) {
  /** @returns undefined if nothing was clicked. @throws if the link service doesn't say it */
  async function buildMessage(id: string, dueAt: number): Promise<MessageContent | undefined> {
    const offers = await linkService.offers({ id })
    if (!offers.reports) throw new Error('the link service offers no reports')
    const range = { from: utcDay(dueAt - 7 * DAY_MS), to: utcDay(dueAt - DAY_MS) }
    const query = { ...range, group_by: 'link', limit: BEST_LINKS } as const
    const report = await linkService.report({ id }, query)
    if (report.total_people === 0) return undefined
    const soon = { expires_before: new Date(clock.now() + 7 * DAY_MS).toISOString() }
    const ending = offers.expiresBefore
      ? await linkService.list({ id }, { ...soon, per_page: MAX_LISTED })
      : undefined
    return weeklyReportMessage(report, ending)
  }

  async function tell({ setBy }: WeeklyReport, id: string, notice: MessageContent): Promise<void> {
    await clientFor(id)
      .then((client) => sendDirectly(client, setBy, notice))
      .catch((err: unknown) => logger.warn({ err, workspaceId: id }, 'an admin could not be told'))
  }

  async function post({ workspaceId: id, at, report }: DueReport): Promise<void> {
    const now = clock.now()
    const next = nextReportAt(report, now)
    // Before it is posted: if this process ends meanwhile, no other process posts it again.
    if (!(await settings.moveReport(id, at, next))) return
    // After a failure, `at` is later than the report was due.
    const dueAt = nextReportAt(report, at - LATEST_MS - 1)
    if (now - dueAt > LATEST_MS) return
    try {
      const message = await buildMessage(id, dueAt)
      if (!message) return
      const client = await clientFor(id)
      await client.chat.postMessage({ channel: report.channel, ...message, ...NO_UNFURLS })
    } catch (err) {
      logger.warn({ err, workspaceId: id }, 'a weekly report could not be posted')
      if (CHANNEL_CODES.test(slackErrorCode(err) ?? '')) {
        await settings.update(id, report.setBy, withoutReport)
        await tell(report, id, endedNotice(report))
      } else if (now + RETRY_MS - dueAt <= LATEST_MS) {
        // After a timeout, Slack may have posted it.
        if (!isTimeout(err)) await settings.moveReport(id, next, now + RETRY_MS)
      } else await tell(report, id, skippedNotice(report, next))
    }
  }

  return createDueWork({
    tasks,
    due: (limit) => settings.dueReports(limit),
    work: post,
    failure: 'could not look for weekly reports that are due',
  })
}

/** The day of a time, in UTC. */
function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
