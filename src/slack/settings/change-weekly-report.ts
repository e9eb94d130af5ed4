import { withoutReport } from '../../workspaces/settings.ts'
import { textMessage } from '../block-kit/elements.ts'
import { noticeModal } from '../block-kit/notices.ts'
import { COMMAND } from '../ids.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { readTimeZone } from '../platform/slack-users.ts'
import { requireAdmin } from './admins.ts'
import { refreshSettings } from './overview.ts'
import type { SettingsPlatform } from './settings-form.ts'
import { weeklyReportForm } from './weekly-report-form.ts'

const TITLE = 'Weekly report'

export async function editWeeklyReport(
  platform: SettingsPlatform,
  { caller, userId, triggerId }: ActionRequest,
): Promise<void> {
  const modal = { triggerId, title: TITLE, isPushed: true }
  await platform.views.openThenBuild(caller, modal, async (show) => {
    const timeZone = await readTimeZone(caller, userId)
    await show(await weeklyReportForm.build(platform, caller.workspace, timeZone))
  })
}

export async function stopWeeklyReports(
  platform: SettingsPlatform,
  { caller, userId, target, view }: ActionRequest,
): Promise<void> {
  const { replies, settings, views } = platform
  await requireAdmin(caller, userId)
  await settings.update(caller.workspace.id, userId, withoutReport)
  const done = `:white_check_mark: No more weekly reports. To start them again, use \`${COMMAND} settings\`.`
  if (!view) return replies.send(caller.client, target, textMessage(done))
  await views.update(caller, { view_id: view.id }, noticeModal(TITLE, done))
  await refreshSettings(platform, caller, view)
}
