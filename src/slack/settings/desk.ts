import type { ModalView } from '@slack/types'
import { KeyringError } from '../../workspaces/keyring-error.ts'
import type { SettingsStore } from '../../workspaces/settings.ts'
import type { Workspace, Workspaces } from '../../workspaces/workspaces.ts'
import { settingsModal, type SettingsView } from '../blocks/settings/settings-modal.ts'
import { templatesModal } from '../blocks/settings/templates-modal.ts'
import { VIEWS } from '../ids.ts'
import { createMayShortenForm, createQrForm } from './choice-forms.ts'
import { createDisconnectForm } from './disconnect-form.ts'
import { createDomainsForm } from './domains-form.ts'
import { brokenTemplates, createNamingForm } from './naming-form.ts'
import type { SettingsForm } from './settings-form.ts'
import { templateKey } from './template-key.ts'
import { createDeleteTemplateForm, createTemplateForm } from './template-forms.ts'

/** The forms that lie on the settings, by the callback_id of each. */
export const SETTINGS_FORMS = [
  VIEWS.settingsDomains,
  VIEWS.settingsQr,
  VIEWS.settingsTemplate,
  VIEWS.settingsDeleteTemplate,
  VIEWS.settingsNaming,
  VIEWS.settingsMayShorten,
  VIEWS.disconnect,
] as const

export type SettingsFormId = (typeof SETTINGS_FORMS)[number]

/** Where the admins of a workspace see what is set, and change it. */
export interface SettingsDesk {
  /** What is set now, with a button to each form. */
  overview(workspace: Workspace): Promise<ModalView>
  /** The UTM templates, each with its menu. */
  templates(workspace: Workspace): Promise<ModalView>
  readonly forms: Readonly<Record<SettingsFormId, SettingsForm>>
  /** Ends a disconnection, where the workspace needs no key for that. */
  connectAgain(workspace: Workspace): Promise<void>
  /** The admin who connected the workspace, whom others can turn to; undefined where nobody did. */
  contact(workspace: Workspace): Promise<string | undefined>
}

export function createSettingsDesk({
  workspaces,
  settings,
  serviceUrl,
}: {
  workspaces: Workspaces
  settings: SettingsStore
  /** Where the link service is, for people. */
  serviceUrl: string
}): SettingsDesk {
  async function standing(workspace: Workspace): Promise<SettingsView['standing']> {
    return workspaces.standing(workspace).catch((error: unknown) => {
      if (error instanceof KeyringError) return { state: 'unreadable' }
      throw error
    })
  }

  return {
    async overview(workspace) {
      const [stands, set] = await Promise.all([standing(workspace), settings.read(workspace.id)])
      return settingsModal({
        serviceUrl,
        standing: stands,
        automatic: workspaces.connectsByItself,
        settings: set,
        broken: brokenTemplates(set.templates, set.naming).length,
      })
    },

    async templates(workspace) {
      const { templates, naming } = await settings.read(workspace.id)
      const broken = new Set(brokenTemplates(templates, naming))
      return templatesModal(
        templates.map((template) => ({
          ...template,
          key: templateKey(template.name),
          isBroken: broken.has(template),
        })),
      )
    },

    forms: {
      [VIEWS.settingsDomains]: createDomainsForm(workspaces),
      [VIEWS.settingsQr]: createQrForm(settings),
      [VIEWS.settingsTemplate]: createTemplateForm(settings),
      [VIEWS.settingsDeleteTemplate]: createDeleteTemplateForm(settings),
      [VIEWS.settingsNaming]: createNamingForm(settings),
      [VIEWS.settingsMayShorten]: createMayShortenForm(settings),
      [VIEWS.disconnect]: createDisconnectForm(workspaces),
    },

    async connectAgain(workspace) {
      await workspaces.connectAgain(workspace.id)
      await workspaces.connection(workspace)
    },

    async contact(workspace) {
      const stands = await standing(workspace)
      return stands.state === 'connected' ? stands.by : undefined
    },
  }
}
