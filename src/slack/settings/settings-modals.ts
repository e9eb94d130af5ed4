import type { ForeignService } from './connect-form.ts'
import type { ModalView } from '@slack/types'
import { SPECIFICATION } from '../../port/capabilities.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { VIEWS } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import type { FormSubmission } from '../platform/listeners.ts'
import type { ClientFor } from '../platform/slack-client.ts'
import { createDisconnectForm, createErasePersonForm } from './deletion-forms.ts'
import { createDestinationsForm } from './destinations-form.ts'
import { createDomainPicker } from './domain-picker.ts'
import { createNamingForm } from './naming-form.ts'
import { overviewModal } from './overview-modal.ts'
import { createPermissionForm, createQrForm } from './policy-forms.ts'
import type { SettingsForm } from './settings-form.ts'
import { createDeleteTemplateForm, createTemplateForm, templatesModal } from './templates.ts'
import { createWeeklyReportForm } from './weekly-report-form.ts'

/** These are on top of the list of templates, which itself is on top of the settings. */
const TEMPLATE_FORMS: readonly string[] = [VIEWS.settingsTemplate, VIEWS.settingsDeleteTemplate]

export interface SettingsOptions {
  workspaces: Workspaces
  serviceUrl: string
  serviceKind?: ForeignService | undefined
  clientFor: ClientFor
}

export function createSettingsModals(
  { settings, views, logger, linkService }: LinkPlatform,
  { workspaces, serviceUrl, serviceKind, clientFor }: SettingsOptions,
) {
  const domainPicker = createDomainPicker(workspaces, linkService)

  async function overview(workspace: Workspace): Promise<ModalView> {
    const [status, current, capabilities] = await Promise.all([
      workspaces.status(workspace),
      settings.read(workspace.id),
      linkService.capabilities(workspace).catch(() => SPECIFICATION),
    ])
    const { connectsAutomatically } = workspaces
    const known = { serviceUrl, serviceKind, status, connectsAutomatically, settings: current }
    return overviewModal({ ...known, offersReports: capabilities.reports })
  }

  async function templates(workspace: Workspace): Promise<ModalView> {
    const current = await settings.read(workspace.id)
    return templatesModal(current.templates, current.naming)
  }

  return {
    overview,
    templates,
    domainPicker,

    forms: {
      [VIEWS.settingsPickDomains]: domainPicker,
      [VIEWS.settingsQr]: createQrForm(settings),
      [VIEWS.settingsTemplate]: createTemplateForm(settings, linkService),
      [VIEWS.settingsDeleteTemplate]: createDeleteTemplateForm(settings),
      [VIEWS.settingsNaming]: createNamingForm(settings),
      [VIEWS.settingsDestinations]: createDestinationsForm(settings, linkService, clientFor),
      [VIEWS.settingsMayShorten]: createPermissionForm(settings, linkService),
      [VIEWS.settingsWeeklyReport]: createWeeklyReportForm(settings, clientFor),
      [VIEWS.settingsErasePerson]: createErasePersonForm(workspaces, linkService),
      [VIEWS.disconnect]: createDisconnectForm(workspaces, linkService, settings),
    } satisfies Partial<Record<(typeof VIEWS)[keyof typeof VIEWS], SettingsForm>>,

    async refreshBelow(caller: Caller, view: FormSubmission['view']): Promise<void> {
      const { id, callback_id: callbackId, root_view_id: root, previous_view_id: previous } = view
      const { workspace } = caller
      if (!root || root === id) return
      try {
        if (previous && previous !== root && TEMPLATE_FORMS.includes(callbackId)) {
          await views.update(caller, { view_id: previous }, await templates(workspace))
        }
        await views.update(caller, { view_id: root }, await overview(workspace))
      } catch (err) {
        logger.error({ err }, 'the settings below a form could not be updated')
      }
    },
  }
}
