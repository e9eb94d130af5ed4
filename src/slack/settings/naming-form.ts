import type { NamingRules, SettingsStore, UtmTemplate } from '../../workspaces/settings.ts'
import { inputTexts } from '../blocks/lines-inputs.ts'
import { bold } from '../blocks/mrkdwn.ts'
import { namingModal } from '../blocks/settings/naming-modal.ts'
import { namingFaults } from '../input/naming-rules.ts'
import { checkNaming, readNamingForm } from '../input/settings/naming.ts'
import type { SettingsForm } from './settings-form.ts'

/** How UTM values are written. */
export function createNamingForm(settings: SettingsStore): SettingsForm {
  return {
    async draw({ workspace }) {
      const { naming } = await settings.read(workspace.id)
      const { sources, mediums } = naming
      return namingModal({
        ...naming,
        sources: inputTexts(sources),
        mediums: inputTexts(mediums),
      })
    },
    async save({ workspace }, values, userId) {
      const naming = checkNaming(readNamingForm(values))
      const { templates } = await settings.update(workspace.id, userId, (now) => ({
        ...now,
        naming,
      }))
      const names = brokenTemplates(templates, naming).map(({ name }) => bold(name))
      return names.length > 0
        ? `:white_check_mark: The rules are saved.\n\n:warning: These templates have a source or a medium that is not on the lists, and want editing: ${names.join(', ')}.`
        : undefined
    },
    redraw: async (_subject, values, notice) => namingModal({ ...readNamingForm(values), notice }),
  }
}

/** The templates whose values the rules don't allow, however they are written. */
export function brokenTemplates(
  templates: readonly UtmTemplate[],
  rules: NamingRules,
): UtmTemplate[] {
  return templates.filter(({ values }) => namingFaults(values, rules).length > 0)
}
