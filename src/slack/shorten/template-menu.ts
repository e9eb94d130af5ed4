import type { InputBlock } from '@slack/types'
import type { UtmTemplate } from '../../workspaces/settings.ts'
import { templateKey } from '../../workspaces/utm.ts'
import { option } from '../block-kit/elements.ts'
import { choiceInput } from '../block-kit/inputs.ts'
import { SlackInputError } from '../platform/field-errors.ts'

/** No template's key is that short. */
const NO_TEMPLATE = 'none'

export function templateInput(
  selected = NO_TEMPLATE,
  templates: readonly UtmTemplate[],
): InputBlock[] {
  if (templates.length === 0) return []
  const options = templates.map(({ name }) => option(name, templateKey(name)))
  const choices = [option('No template', NO_TEMPLATE), ...options]
  const hint = 'Adds its UTM parameters and tags to each link.'
  return [choiceInput('template', choices, selected, { optional: false, hint })]
}

export function chosenTemplate(
  key = NO_TEMPLATE,
  templates: readonly UtmTemplate[],
): UtmTemplate | undefined {
  const template = templates.find(({ name }) => templateKey(name) === key)
  if (key === NO_TEMPLATE || template) return template
  const message = 'This template was deleted or renamed. Choose another.'
  throw new SlackInputError([{ field: 'template', message }])
}
