import { ACTIONS, TEMPLATE_BLOCK_PREFIX, TEMPLATE_MENU, VIEWS } from '../ids.ts'
import type { Listeners } from '../platform/listeners.ts'
import { openForAdmins, type OpenRequest } from './admins.ts'
import { editWeeklyReport, stopWeeklyReports } from './change-weekly-report.ts'
import { buildConnectForm, connectAgain, pushConnectForm, submitConnectForm } from './connect.ts'
import { disconnectForm } from './deletion-forms.ts'
import { tryDestination } from './destinations-form.ts'
import { editDomains } from './domain-picker.ts'
import { FORMS, pushForm, submitForm } from './forms.ts'
import { buildOverview, buildTemplates } from './overview.ts'
import type { SettingsPlatform } from './settings-form.ts'

const PUSHED_FORMS = {
  [ACTIONS.editQr]: FORMS[VIEWS.settingsQr],
  [ACTIONS.editNaming]: FORMS[VIEWS.settingsNaming],
  [ACTIONS.editDestinations]: FORMS[VIEWS.settingsDestinations],
  [ACTIONS.editMayShorten]: FORMS[VIEWS.settingsMayShorten],
  [ACTIONS.erasePerson]: FORMS[VIEWS.settingsErasePerson],
  [ACTIONS.disconnect]: disconnectForm,
  [ACTIONS.addTemplate]: FORMS[VIEWS.settingsTemplate],
}

export function registerSettings(listeners: Listeners, platform: SettingsPlatform): void {
  const { linkService, views } = platform
  const openSettings = (request: OpenRequest): Promise<void> =>
    openForAdmins(platform, request, 'Backhalf settings', (workspace) =>
      buildOverview(platform, workspace),
    )
  const openConnect = (request: OpenRequest): Promise<void> =>
    openForAdmins(platform, request, 'Connect Backhalf', (workspace) =>
      buildConnectForm(platform, workspace),
    )

  listeners.command('settings', openSettings)
  listeners.command('disconnect', (request) =>
    openForAdmins(platform, request, 'Disconnect Backhalf', (workspace) =>
      disconnectForm.build(platform, { workspace, key: '' }),
    ),
  )
  // The user might have typed a key after the command, so an error message shows nothing of it.
  listeners.command('connect', openConnect, () => ({}))
  listeners.action(ACTIONS.openSettings, openSettings)
  listeners.action(ACTIONS.openConnect, openConnect)
  for (const [action, form] of Object.entries(PUSHED_FORMS)) {
    listeners.action(action, (request) => pushForm(platform, form, request))
  }
  listeners.action(ACTIONS.editDomains, async (request) => {
    const { domains: isListed } = await linkService.capabilities(request.caller.workspace)
    await (isListed ? editDomains : pushConnectForm)(platform, request)
  })
  listeners.action(ACTIONS.tryDestination, (request) => tryDestination(platform, request))
  listeners.action(ACTIONS.editWeeklyReport, (request) => editWeeklyReport(platform, request))
  listeners.action(ACTIONS.stopWeeklyReports, (request) => stopWeeklyReports(platform, request))
  listeners.action(ACTIONS.editTemplates, async ({ caller, triggerId }) =>
    views.push(caller, triggerId, await buildTemplates(platform, caller.workspace)),
  )
  listeners.action(ACTIONS.templateMenu, async (request) => {
    const { action, value } = request
    const isDelete = value === TEMPLATE_MENU.delete
    const key = action.block_id.slice(TEMPLATE_BLOCK_PREFIX.length)
    const formId = isDelete ? VIEWS.settingsDeleteTemplate : VIEWS.settingsTemplate
    await pushForm(platform, FORMS[formId], request, key)
  })
  listeners.action(ACTIONS.reconnect, (request) => pushConnectForm(platform, request))
  listeners.action(ACTIONS.connectAgain, (request) => connectAgain(platform, request))
  listeners.formSubmission(VIEWS.connect, (submission) => submitConnectForm(platform, submission))
  for (const [formId, form] of Object.entries(FORMS)) {
    listeners.formSubmission(formId, (submission) => submitForm(platform, form, submission))
  }
}
