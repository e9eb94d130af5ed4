import type { DomainRecord } from '../../workspaces/connection.ts'
import type { UtmTemplate } from '../../workspaces/settings.ts'
import { findTemplateByKey, templateKey } from '../../workspaces/utm.ts'
import { option } from '../block-kit/elements.ts'
import { choiceInput } from '../block-kit/inputs.ts'
import { errorAt } from '../platform/field-errors.ts'
import { findDomain } from './draft.ts'

/** If the selected domain isn't in the menu, none is preselected, so that the user chooses one. */
export function domainInput(selected: string | undefined, domains: readonly DomainRecord[]) {
  const domain = selected === undefined ? domains[0] : findDomain(selected, domains)
  if (domains.length === 1 && domain) return []
  const options = domains.map(({ name, domain_name }) => option(domain_name, name))
  return [choiceInput('domain', options, domain?.name)]
}

// Can't be a template's key, because those are longer.
const NO_TEMPLATE = 'none'

export function templateInput(templates: readonly UtmTemplate[]) {
  if (templates.length === 0) return []
  const options = templates.map(({ name }) => option(name, templateKey(name)))
  const choices = [option('No template', NO_TEMPLATE), ...options]
  const hint = 'Adds its UTM parameters and tags to each link.'
  return [choiceInput('template', choices, NO_TEMPLATE, { hint })]
}

export function chosenTemplate(key = NO_TEMPLATE, templates: readonly UtmTemplate[]) {
  const template = findTemplateByKey(templates, key)
  if (key === NO_TEMPLATE || template) return template
  throw errorAt('template', 'This template was deleted or renamed. Choose another.')
}
