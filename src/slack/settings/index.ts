import { ACTIONS, TEMPLATE_BLOCK_PREFIX, TEMPLATE_MENU, VIEWS } from '../ids.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { ActionRequest, FormSubmission, Listeners } from '../platform/listeners.ts'
import { openForAdmins, requireAdmin, type OpenRequest } from './admins.ts'
import { editWeeklyReport, stopWeeklyReports } from './change-weekly-report.ts'
import { buildConnectForm, connectAgain, submitConnectForm } from './connect.ts'
import { disconnectForm, erasePersonForm } from './deletion-forms.ts'
import { destinationsForm, tryDestination } from './destinations-form.ts'
import { domainPicker, editDomains } from './domain-picker.ts'
import { namingForm } from './naming-form.ts'
import { buildOverview, buildTemplates, refreshSettings } from './overview.ts'
import { permissionForm, qrForm } from './policy-forms.ts'
import type { SettingsForm, SettingsPlatform } from './settings-form.ts'
import { deleteTemplateForm, templateForm } from './templates.ts'
import { weeklyReportForm } from './weekly-report-form.ts'

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

/** The views that a button opens on top of the settings. */
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

  listeners.command('settings', openSettings)
  // The user might have typed a key after the command, so error messages show nothing of what was typed.
  const hideTypedText = () => ({})
  listeners.command('connect', openConnect, hideTypedText)
  listeners.command('disconnect', (request) =>
    openForAdmins(platform, request, 'Disconnect Backhalf', disconnectForm.build),
  )
  listeners.action(ACTIONS.openSettings, openSettings)
  listeners.action(ACTIONS.openConnect, openConnect)
  for (const [action, build] of Object.entries(PUSHED_VIEWS)) {
    listeners.action(action, (request) => push(request, build))
  }
  listeners.action(ACTIONS.editDomains, async (request) => {
    // If the service can't list its domains, an admin types them into the form with the API key.
    const { domains: canList } = await platform.linkService.capabilities(request.caller.workspace)
    await (canList ? editDomains(platform, request) : push(request, buildConnectForm))
  })
  listeners.action(ACTIONS.templateMenu, (request) => {
    const form = request.value === TEMPLATE_MENU.delete ? deleteTemplateForm : templateForm
    return push(request, form.build, request.action.block_id.slice(TEMPLATE_BLOCK_PREFIX.length))
  })
  listeners.action(ACTIONS.tryDestination, (request) => tryDestination(platform, request))
  listeners.action(ACTIONS.editWeeklyReport, (request) => editWeeklyReport(platform, request))
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
  const saved = await answerForm(platform, submission, {
    work: async () => {
      await requireAdmin(caller, userId)
      return form.save(platform, subject, view.state.values, userId)
    },
    waiting: 'Saving…',
    done: (message) => message ?? ':white_check_mark: Saved.',
    closesWhenDone: (message) => message === undefined,
    consequence: `“${view.title.text}” was not saved.`,
  })
  if (!saved) return
  await refreshSettings(platform, caller, view)
  await platform.homeTab.refresh(caller)
}
