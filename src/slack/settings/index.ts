import { ACTIONS, TEMPLATE_BLOCK_PREFIX, TEMPLATE_MENU, VIEWS } from '../ids.ts'
import type { ActionRequest, Listeners } from '../platform/listeners.ts'
import { openForAdmins, type OpenRequest } from './admins.ts'
import { editWeeklyReport, stopWeeklyReports } from './change-weekly-report.ts'
import { buildConnectForm, connectAgain, pushConnectForm, submitConnectForm } from './connect.ts'
import { disconnectForm, erasePersonForm } from './deletion-forms.ts'
import { destinationsForm, tryDestination } from './destinations-form.ts'
import { editDomains } from './domain-picker.ts'
import { namingForm } from './naming-form.ts'
import { buildOverview, pushTemplates } from './overview.ts'
import { permissionForm, qrForm } from './policy-forms.ts'
import type { SettingsPlatform } from './settings-form.ts'
import { deleteTemplateForm, templateForm } from './templates.ts'
import { FORMS, pushForm, submitForm } from './forms.ts'

const PUSHED_FORMS = {
  [ACTIONS.editQr]: qrForm,
  [ACTIONS.editNaming]: namingForm,
  [ACTIONS.editDestinations]: destinationsForm,
  [ACTIONS.editMayShorten]: permissionForm,
  [ACTIONS.erasePerson]: erasePersonForm,
  [ACTIONS.disconnect]: disconnectForm,
  [ACTIONS.addTemplate]: templateForm,
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
    openForAdmins(platform, request, 'Disconnect Backhalf', disconnectForm.build),
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
  listeners.action(ACTIONS.templateMenu, (request) => {
    const form = request.value === TEMPLATE_MENU.delete ? deleteTemplateForm : templateForm
    const key = request.action.block_id.slice(TEMPLATE_BLOCK_PREFIX.length)
    return pushForm(platform, form, request, key)
  })
  on(ACTIONS.reconnect, pushConnectForm)
  on(ACTIONS.connectAgain, connectAgain)
  listeners.formSubmission(VIEWS.connect, (submission) => submitConnectForm(platform, submission))
  for (const [formId, form] of Object.entries(FORMS)) {
    listeners.formSubmission(formId, (submission) => submitForm(platform, form, submission))
  }
}
