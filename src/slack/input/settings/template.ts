import { UTM_PARAMETERS } from '../../../contract/create-request.ts'
import type { NamingRules, UtmTemplate } from '../../../workspaces/settings.ts'
import { SETTINGS_LIMITS } from '../../blocks/limits.ts'
import type { TemplateForm } from '../../blocks/settings/template-modal.ts'
import { SETTINGS_BLOCKS } from '../../ids.ts'
import { textOf, type FormValues } from '../form-values.ts'
import { applyNaming, namingFaults } from '../naming-rules.ts'
import { SlackInputError, type Fault } from '../slack-input-error.ts'
import { isSameName } from '../template-name.ts'

/** What the form of a UTM template holds. */
export function readTemplateForm(values: FormValues): Pick<TemplateForm, 'name' | 'values'> {
  return {
    name: textOf(values, SETTINGS_BLOCKS.templateName),
    values: Object.fromEntries(UTM_PARAMETERS.map((field) => [field, textOf(values, field)])),
  }
}

/**
 * The template, with its values as the naming rules write them.
 *
 * @param others the workspace's other templates
 * @throws SlackInputError with each fault at its field
 */
export function checkTemplate(
  typed: Pick<TemplateForm, 'name' | 'values'>,
  rules: NamingRules,
  others: readonly UtmTemplate[],
): UtmTemplate {
  const name = typed.name.replace(/\s+/g, ' ')
  const { values } = applyNaming(typed.values, rules)
  const faults: Fault[] = [
    ...nameFaults(name, others),
    ...UTM_PARAMETERS.flatMap((field): Fault[] => {
      const { utmValue: most } = SETTINGS_LIMITS
      if ((values[field]?.length ?? 0) <= most) return []
      return [{ field, message: `This is longer than ${most} characters. Shorten it.` }]
    }),
    ...namingFaults(values, rules),
  ]
  if (Object.keys(values).length === 0) {
    faults.push({ field: 'utm_source', message: 'Fill in at least one of the six.' })
  }
  if (others.length >= SETTINGS_LIMITS.templates) {
    const message = `There are ${others.length} templates already, which is as many as Backhalf keeps. Delete one first.`
    faults.push({ field: 'template_name', message })
  }
  if (faults.length > 0) throw new SlackInputError(faults)
  return { name, values }
}

function nameFaults(name: string, others: readonly UtmTemplate[]): Fault[] {
  const field = 'template_name'
  if (name === '') return [{ field, message: 'Give the template a name.' }]
  if (name.length > SETTINGS_LIMITS.templateName) {
    const message = `A name has at most ${SETTINGS_LIMITS.templateName} characters, as it stands in a menu.`
    return [{ field, message }]
  }
  const twin = others.find((other) => isSameName(other.name, name))
  return twin ? [{ field, message: `There is a template “${twin.name}” already.` }] : []
}
