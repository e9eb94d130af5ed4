import type { Settings, SettingsStore } from '../../workspaces/settings.ts'
import { deleteTemplateModal, templateModal } from '../blocks/settings/template-modal.ts'
import { checkTemplate, readTemplateForm } from '../input/settings/template.ts'
import type { SettingsForm } from './settings-form.ts'

/** A UTM template; the form's key is the name of the one that is edited, empty for a new one. */
export function createTemplateForm(settings: SettingsStore): SettingsForm {
  return {
    async draw({ workspace, key: editing }) {
      const { templates, naming: rules } = await settings.read(workspace.id)
      const template = templates.find(({ name }) => name === editing)
      const { name = '', values = {} } = template ?? {}
      return templateModal({ editing: name, name, values, rules })
    },
    async save({ workspace, key: editing }, values, userId) {
      const typed = readTemplateForm(values)
      await settings.update(workspace.id, userId, (now) => withTemplate(now, editing, typed))
      return undefined
    },
    async redraw({ workspace, key: editing }, values, notice) {
      const { naming: rules } = await settings.read(workspace.id)
      return templateModal({ ...readTemplateForm(values), editing, rules, notice })
    },
  }
}

/** Deletes the UTM template that the form's key names. */
export function createDeleteTemplateForm(settings: SettingsStore): SettingsForm {
  return {
    draw: async ({ key: name }) => deleteTemplateModal({ name }),
    async save({ workspace, key: gone }, _values, userId) {
      await settings.update(workspace.id, userId, (now) => ({
        ...now,
        templates: now.templates.filter(({ name }) => name !== gone),
      }))
      return undefined
    },
    redraw: async ({ key: name }, _values, notice) => deleteTemplateModal({ name, notice }),
  }
}

/**
 * The template in place of the one that was edited. Where somebody deleted or renamed that in the
 * meantime, it is added: what was typed is not lost.
 */
function withTemplate(
  settings: Settings,
  editing: string,
  typed: ReturnType<typeof readTemplateForm>,
): Settings {
  const { templates, naming } = settings
  const others = templates.filter(({ name }) => name !== editing)
  const template = checkTemplate(typed, naming, others)
  const stands = others.length < templates.length
  return {
    ...settings,
    templates: stands
      ? templates.map((one) => (one.name === editing ? template : one))
      : [...templates, template],
  }
}
