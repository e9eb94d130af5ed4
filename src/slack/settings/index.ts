import type { ModalView } from '@slack/types'
import { withoutReport } from '../../workspaces/settings.ts'
import { textMessage } from '../block-kit/messages.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { noticeModal } from '../block-kit/notices.ts'
import { ACTIONS, COMMAND, TEMPLATE_BLOCK_PREFIX, TEMPLATE_MENU, VIEWS } from '../ids.ts'
import { readTimeZone } from '../platform/caller.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { ActionRequest, FormSubmission, Listeners } from '../platform/listeners.ts'
import { buildConnectForm } from './connect-form.ts'
import { connectAgain, submitConnectForm } from './connect.ts'
import { disconnectForm, erasePersonForm } from './deletion-forms.ts'
import { destinationsForm, tryDestination } from './destinations-form.ts'
import { domainPicker } from './domain-picker.ts'
import { namingForm } from './naming-form.ts'
import { buildOverview, refreshSettings } from './overview.ts'
import { permissionForm, qrForm } from './policy-forms.ts'
import {
  openForAdmins,
  requireAdmin,
  type OpenRequest,
  type SettingsForm,
  type SettingsPlatform,
} from './settings-form.ts'
import { buildTemplates, deleteTemplateForm, templateForm } from './templates.ts'
import { weeklyReportForm, WEEKLY_REPORT } from './weekly-report-form.ts'

const FORMS = {
  [VIEWS.settingsPickDomains]: domainPicker,
  [VIEWS.settingsQr]: qrForm,
  [VIEWS.settingsTemplate]: templateForm,
  [VIEWS.settingsDeleteTemplate]: deleteTemplateForm,
  [VIEWS.settingsNaming]: namingForm,
  [VIEWS.settingsDestinations]: destinationsForm,
  [VIEWS.settingsMayShorten]: permissionForm,
  [VIEWS.settingsWeeklyReport]: weeklyReportForm,
  [VIEWS.settingsErasePerson]: erasePersonForm,
  [VIEWS.disconnect]: disconnectForm,
}

const PUSHED_VIEWS = {
  [ACTIONS.editQr]: qrForm.build,
  [ACTIONS.editNaming]: namingForm.build,
  [ACTIONS.editDestinations]: destinationsForm.build,
  [ACTIONS.editMayShorten]: permissionForm.build,
  [ACTIONS.erasePerson]: erasePersonForm.build,
  [ACTIONS.disconnect]: disconnectForm.build,
  [ACTIONS.editTemplates]: buildTemplates,
  [ACTIONS.addTemplate]: templateForm.build,
  [ACTIONS.reconnect]: buildConnectForm,
}

export function registerSettings(listeners: Listeners, platform: SettingsPlatform): void {
  const openSettings = (request: OpenRequest): Promise<void> =>
    openForAdmins(platform, request, 'Backhalf settings', buildOverview)
  const openConnect = (request: OpenRequest): Promise<void> =>
    openForAdmins(platform, request, 'Connect Backhalf', buildConnectForm)
  const push = async (
    { caller, triggerId }: ActionRequest,
    build: SettingsForm['build'],
    key?: string,
  ): Promise<void> => {
    await platform.views.push(caller, triggerId, await build(platform, caller.workspace, key))
  }

  /** Opens a loading view first, because a trigger expires within seconds, and building the view can take longer. */
  const pushThenBuild = (
    { caller, triggerId }: ActionRequest,
    title: string,
    build: () => Promise<ModalView>,
  ): Promise<void> =>
    platform.views.openThenBuild(caller, { triggerId, title, isPushed: true }, async (show) =>
      show(await build()),
    )

  listeners.command('settings', openSettings)
  // The user might have typed a key after the command, so error messages show nothing of what was typed.
  listeners.command('connect', openConnect, () => ({}))
  listeners.command('disconnect', (request) =>
    openForAdmins(platform, request, 'Disconnect Backhalf', disconnectForm.build),
  )
  listeners.action(ACTIONS.openSettings, openSettings)
  listeners.action(ACTIONS.openConnect, openConnect)
  for (const [action, build] of Object.entries(PUSHED_VIEWS)) {
    listeners.action(action, (request) => push(request, build))
  }
  listeners.action(ACTIONS.editDomains, async (request) => {
    const { workspace } = request.caller
    const { domains: canList } = await platform.linkService.capabilities(workspace)
    // If the service can't list its domains, an admin types them into the form with the API key.
    if (!canList) return push(request, buildConnectForm)
    const build = () => domainPicker.build(platform, workspace)
    return pushThenBuild(request, FIELD_LABELS.domains, build)
  })
  listeners.action(ACTIONS.templateMenu, (request) => {
    const form = request.value === TEMPLATE_MENU.delete ? deleteTemplateForm : templateForm
    return push(request, form.build, request.action.block_id.slice(TEMPLATE_BLOCK_PREFIX.length))
  })
  listeners.action(ACTIONS.tryDestination, (request) => tryDestination(platform, request))
  listeners.action(ACTIONS.editWeeklyReport, (request) =>
    pushThenBuild(request, WEEKLY_REPORT, async () => {
      const { caller, userId } = request
      const timeZone = await readTimeZone(caller, userId)
      return weeklyReportForm.build(platform, caller.workspace, timeZone)
    }),
  )
  listeners.action(ACTIONS.stopWeeklyReports, (request) => stopWeeklyReports(platform, request))
  listeners.action(ACTIONS.connectAgain, (request) => connectAgain(platform, request))
  listeners.formSubmission(VIEWS.connect, (submission) => submitConnectForm(platform, submission))
  for (const [formId, form] of Object.entries(FORMS)) {
    listeners.formSubmission(formId, (submission) => submitForm(platform, form, submission))
  }
}

async function submitForm(
  platform: SettingsPlatform,
  form: SettingsForm,
  submission: FormSubmission,
): Promise<void> {
  const { caller, userId, view } = submission
  const subject = { workspace: caller.workspace, key: view.private_metadata }
  const isSaved = await answerForm(platform, submission, {
    work: async () => {
      await requireAdmin(caller, userId)
      return form.save(platform, subject, view.state.values, userId)
    },
    waiting: 'Saving…',
    done: (message) => message ?? ':white_check_mark: Saved.',
    closesWhenDone: (message) => message === undefined,
    consequence: `“${view.title.text}” was not saved.`,
  })
  if (!isSaved) return
  await refreshSettings(platform, caller, view)
  await platform.homeTab.refresh(caller)
}

async function stopWeeklyReports(platform: SettingsPlatform, request: ActionRequest) {
  const { replies, settings, views } = platform
  const { caller, userId, target, view } = request
  await requireAdmin(caller, userId)
  await settings.update(caller.workspace.id, userId, withoutReport)
  const done = `:white_check_mark: No more weekly reports. To start them again, use \`${COMMAND} settings\`.`
  if (!view) return replies.send(caller.client, target, textMessage(done))
  await views.update(caller, { view_id: view.id }, noticeModal(WEEKLY_REPORT, done))
  await refreshSettings(platform, caller, view)
}
