import type { Settings, SettingsStore, UtmTemplate } from '../../workspaces/settings.ts'
import { noticeModal } from '../blocks/notice-modal.ts'
import { deleteTemplateModal, templateModal } from '../blocks/settings/template-modal.ts'
import { checkTemplate, readTemplateForm } from '../input/settings/template.ts'
import type { SettingsForm, Subject } from './settings-form.ts'
import { templateKey } from './template-key.ts'

/** A UTM template; the form's key is that of the one that is edited, empty for a new one. */
export function createTemplateForm(settings: SettingsStore): SettingsForm {
  return {
    async draw({ workspace, key }) {
      const { templates, naming: rules } = await settings.read(workspace.id)
      const template = templates.find(has(key))
      if (template) return templateModal({ editing: key, ...template, rules })
      const notice = key ? ['This template was deleted or renamed. You can write a new one.'] : []
      return templateModal({ editing: '', name: '', values: {}, rules, notice })
    },
    async save({ workspace, key }, values, userId) {
      const typed = readTemplateForm(values)
      await settings.update(workspace.id, userId, (now) => withTemplate(now, key, typed))
      return undefined
    },
    async redraw({ workspace, key: editing }, values, notice) {
      const { naming: rules } = await settings.read(workspace.id)
      return templateModal({ ...readTemplateForm(values), editing, rules, notice })
    },
  }
}

/** Deletes the UTM template whose key the form has. */
export function createDeleteTemplateForm(settings: SettingsStore): SettingsForm {
  async function question({ workspace, key }: Subject, notice: readonly string[] = []) {
    const { templates } = await settings.read(workspace.id)
    const template = templates.find(has(key))
    return template
      ? deleteTemplateModal({ key, name: template.name, notice })
      : noticeModal('Delete UTM template', 'This template was deleted or renamed already.')
  }
  return {
    draw: question,
    async save({ workspace, key }, _values, userId) {
      await settings.update(workspace.id, userId, (now) => ({
        ...now,
        templates: now.templates.filter((template) => !has(key)(template)),
      }))
      return undefined
    },
    redraw: (subject, _values, notice) => question(subject, notice),
  }
}

/**
 * The template in place of the one that was edited. Where somebody deleted or renamed that in the
 * meantime, it is added: what was typed is not lost.
 */
function withTemplate(
  settings: Settings,
  key: string,
  typed: ReturnType<typeof readTemplateForm>,
): Settings {
  const { templates, naming } = settings
  const others = templates.filter((template) => !has(key)(template))
  const template = checkTemplate(typed, naming, others)
  return {
    ...settings,
    templates:
      others.length < templates.length
        ? templates.map((one) => (has(key)(one) ? template : one))
        : [...templates, template],
  }
}

const has =
  (key: string) =>
  ({ name }: UtmTemplate): boolean =>
    templateKey(name) === key
