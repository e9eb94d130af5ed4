import { isDeepStrictEqual } from 'node:util'
import type { Settings, WeeklyReport } from '../../workspaces/settings.ts'
import { actions, button, option, section } from '../block-kit/elements.ts'
import { channelInput, choiceInput, formModal } from '../block-kit/inputs.ts'
import { escape, mention } from '../block-kit/mrkdwn.ts'
import { ACTIONS, VIEWS } from '../ids.ts'
import { selectedOption, inputValue } from '../platform/form-values.ts'
import { announce } from '../platform/replies.ts'
import type { SettingsForm } from './settings-form.ts'

export const WEEKLY_REPORT = 'Weekly report'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const DAY_OPTIONS = DAYS.map((name, index) => option(name, String(index + 1)))
const hourText = (hour: number): string => `${hour % 12 || 12}:00 ${hour < 12 ? 'AM' : 'PM'}`
const HOUR_OPTIONS = Array.from({ length: 24 }, (_, hour) => option(hourText(hour), String(hour)))

// "Every Monday at 9:00 AM (Europe/Berlin)"
const scheduleText = ({ day, hour, timeZone }: WeeklyReport): string =>
  `Every ${DAYS[day - 1]} at ${hourText(hour)} (${escape(timeZone)})`

export const weeklyReportText = ({ weeklyReport: report }: Settings): string =>
  report
    ? `${scheduleText(report)} in <#${report.channel}>.`
    : 'None. Backhalf can post the clicks of each week in a channel.'

export const weeklyReportForm: SettingsForm = {
  async build({ settings }, workspace, timeZone = 'UTC') {
    const { weeklyReport: current } = await settings.read(workspace.id)
    const stop = button('Stop these reports', ACTIONS.stopWeeklyReports, { style: 'danger' })
    return formModal({
      callbackId: VIEWS.settingsWeeklyReport,
      metadata: timeZone,
      title: WEEKLY_REPORT,
      close: 'Back',
      blocks: [
        section(
          'Each week, Backhalf can post how many clicks your links got, which five links got the most, and which links expire soon. It posts nothing after a week without clicks.',
        ),
        channelInput('report_channel', current?.channel, {
          optional: false,
          hint: 'Everyone in the channel sees the report. If Backhalf isn’t in it yet, type /invite @Backhalf there first.',
        }),
        choiceInput('report_day', DAY_OPTIONS, String(current?.day ?? 1)),
        choiceInput('report_hour', HOUR_OPTIONS, String(current?.hour ?? 9), {
          hint: `In your time zone, ${timeZone}.`,
        }),
        ...actions([current && stop]),
      ],
    })
  },

  async save({ clientFor, settings }, { workspace, key: timeZone }, values, userId) {
    const { weeklyReport: current } = await settings.read(workspace.id)
    const weeklyReport = {
      channel: inputValue(values, 'report_channel')?.selected_conversation ?? '',
      day: Number(selectedOption(values, 'report_day')),
      hour: Number(selectedOption(values, 'report_hour')),
      timeZone,
      setBy: userId,
    }
    if (isDeepStrictEqual({ ...current, setBy: userId }, weeklyReport)) return undefined
    // The announcement comes before saving, because it throws if Backhalf can't post in the channel.
    const text = `${mention(userId)} set up weekly reports here. ${scheduleText(weeklyReport)}, Backhalf posts a report on the clicks of the last seven days.`
    const client = await clientFor(workspace.id)
    await announce(client, { channel: weeklyReport.channel, text, field: 'report_channel' })
    await settings.update(workspace.id, userId, (others) => ({ ...others, weeklyReport }))
  },
}
