import { ACTIONS, VIEWS } from '../ids.ts'
import type { ActionRequest, Listeners } from '../platform/listeners.ts'
import { openForAdmins, type OpenRequest } from './admins.ts'
import { editWeeklyReport, stopWeeklyReports } from './change-weekly-report.ts'
import { buildConnectForm, connectAgain, pushConnectForm, submitConnectForm } from './connect.ts'
import { tryDestination } from './destinations-form.ts'
import { editDomains } from './domain-picker.ts'
import { chooseFromTemplateMenu, FORMS, pushForm, submitForm } from './forms.ts'
import { buildOverview, pushTemplates } from './overview.ts'
import type { SettingsPlatform } from './settings-form.ts'

const PUSHED_FORMS = {
  [ACTIONS.editQr]: FORMS[VIEWS.settingsQr],
  [ACTIONS.editNaming]: FORMS[VIEWS.settingsNaming],
  [ACTIONS.editDestinations]: FORMS[VIEWS.settingsDestinations],
  [ACTIONS.editMayShorten]: FORMS[VIEWS.settingsMayShorten],
  [ACTIONS.erasePerson]: FORMS[VIEWS.settingsErasePerson],
  [ACTIONS.disconnect]: FORMS[VIEWS.disconnect],
  [ACTIONS.addTemplate]: FORMS[VIEWS.settingsTemplate],
}

export function registerSettings(listeners: Listeners, platform: SettingsPlatform): void {
  const on = (
    action: string,
    handle: (platform: SettingsPlatform, request: ActionRequest) => Promise<void>,
  ): void => listeners.action(action, (request) => handle(platform, request))
  const openSettings = (request: OpenRequest): Promise<void> =>
    openForAdmins(platform, request, 'Backhalf settings', buildOverview)
  const openConnect = (request: OpenRequest): Promise<void> =>
    openForAdmins(platform, request, 'Connect Backhalf', buildConnectForm)

  listeners.command('settings', openSettings)
  // The user might have typed a key after the command, so error messages show nothing of what was typed.
  const hideTypedText = () => ({})
  listeners.command('connect', openConnect, hideTypedText)
  listeners.command('disconnect', (request) =>
    openForAdmins(platform, request, 'Disconnect Backhalf', (_platform, workspace) =>
      FORMS[VIEWS.disconnect].build(platform, { workspace, key: '' }),
    ),
  )
  listeners.action(ACTIONS.openSettings, openSettings)
  listeners.action(ACTIONS.openConnect, openConnect)
  for (const [action, form] of Object.entries(PUSHED_FORMS)) {
    listeners.action(action, (request) => pushForm(platform, form, request))
  }
  on(ACTIONS.editDomains, async (_platform, request) => {
    // If the service can't list its domains, an admin types them into the form with the API key.
    const { domains: canList } = await platform.linkService.capabilities(request.caller.workspace)
    if (canList) await editDomains(platform, request)
    else await pushConnectForm(platform, request)
  })
  on(ACTIONS.tryDestination, tryDestination)
  on(ACTIONS.editWeeklyReport, editWeeklyReport)
  on(ACTIONS.stopWeeklyReports, stopWeeklyReports)
  on(ACTIONS.editTemplates, pushTemplates)
  on(ACTIONS.templateMenu, chooseFromTemplateMenu)
  on(ACTIONS.reconnect, pushConnectForm)
  on(ACTIONS.connectAgain, connectAgain)
  listeners.formSubmission(VIEWS.connect, (submission) => submitConnectForm(platform, submission))
  for (const [formId, form] of Object.entries(FORMS)) {
    listeners.formSubmission(formId, (submission) => submitForm(platform, form, submission))
  }
}
