import type { KnownBlock, SectionBlock } from '@slack/types'
import { LINK_FIELDS, UTM_PARAMETERS, type UtmParameter } from '../../contract/link-fields.ts'
import type { NamingRules } from '../../workspaces/settings.ts'
import { allowedValues, type UtmValues } from '../../workspaces/utm.ts'
import { button, code, LIMITS, menu, option, present, section } from '../block-kit/elements.ts'
import { FIELD_LABELS, fieldBlockId } from '../block-kit/fields.ts'
import { choiceInput, textInput } from '../block-kit/inputs.ts'
import { bold, cut } from '../block-kit/mrkdwn.ts'
import { ACTIONS } from '../ids.ts'

export interface UtmSection {
  fillCount: number // How often a preset was chosen. New IDs let Slack show its values (fieldBlockId).
  presets: readonly { key: string; label: string }[]
  naming: NamingRules
  visitedUrl: string | undefined // Undefined without a destination, or if a value is invalid.
  hasErrors: boolean
}

export function utmInputs(values: UtmValues, shown: UtmSection): KnownBlock[] {
  return [
    utmHeading(shown),
    ...UTM_PARAMETERS.map((name) => utmInput(name, values[name], shown)),
    ...visitedUrlBlocks(shown),
  ]
}

/** Shows the URL as of the form's last update. It isn't updated while the user types (docs/decisions.md). */
function visitedUrlBlocks({ visitedUrl, hasErrors }: UtmSection): KnownBlock[] {
  const heading = (hint: string, label: string) =>
    section(`*URL that visitors will reach*\n${hint}`, button(label, ACTIONS.showVisitedUrl))
  if (visitedUrl) {
    const url = code(cut(visitedUrl, LIMITS.sectionText))
    return [heading('After a change, press _Update_.', 'Update'), url]
  }
  const missing = hasErrors
    ? ':warning: Correct the inputs that have a warning above'
    : 'Fill in the destination'
  return [heading(`${missing}, then press _Show_.`, 'Show')]
}

function utmHeading({ presets, fillCount }: UtmSection): SectionBlock {
  const heading = bold(FIELD_LABELS.utm_analytics_enabled)
  if (presets.length === 0) return section(heading)
  const options = presets.slice(0, LIMITS.selectOptions).map(({ key, label }) => option(label, key))
  // A new block_id each time, so that the user can choose the same preset again.
  const blockId = fieldBlockId(ACTIONS.fillUtm, fillCount)
  return section(heading, menu(ACTIONS.fillUtm, 'Fill in from…', options), blockId)
}

/** Builds a menu if the naming rules list the allowed values. It also has the current value, even a forbidden one. */
function utmInput(name: UtmParameter, value: string | undefined, shown: UtmSection) {
  const { fillCount } = shown
  const choices = allowedValues(name, shown.naming) // Empty if the rules allow any value.
  if (choices.length === 0 || (value && value.length > LIMITS.optionValue)) {
    return textInput(name, value, { fillCount, placeholder: LINK_FIELDS[name].example })
  }
  const values = new Set(present([value, ...choices]))
  const options = Array.from(values, (choice) => option(choice, choice))
  return choiceInput(name, options, value, { fillCount, placeholder: 'Choose one', optional: true })
}
