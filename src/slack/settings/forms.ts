import { VIEWS } from '../ids.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { ActionRequest, FormSubmission } from '../platform/listeners.ts'
import { requireAdmin } from './admins.ts'
import { disconnectForm, erasePersonForm } from './deletion-forms.ts'
import { destinationsForm } from './destinations-form.ts'
import { domainPicker } from './domain-picker.ts'
import { namingForm } from './naming-form.ts'
import { refreshSettings } from './overview.ts'
import { permissionForm, qrForm } from './policy-forms.ts'
import type { SettingsForm, SettingsPlatform } from './settings-form.ts'
import { deleteTemplateForm, templateForm } from './templates.ts'
import { weeklyReportForm } from './weekly-report-form.ts'

export const FORMS = {
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
} satisfies Partial<Record<(typeof VIEWS)[keyof typeof VIEWS], SettingsForm>>

export async function pushForm(
  platform: SettingsPlatform,
  form: SettingsForm,
  { caller, triggerId }: ActionRequest,
  key?: string,
): Promise<void> {
  const view = await form.build(platform, caller.workspace, key)
  await platform.views.push(caller, triggerId, view)
}

export async function submitForm(
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
