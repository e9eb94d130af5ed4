import type { NamingRules } from '../../../workspaces/settings.ts'
import { SETTINGS_LIMITS } from '../../blocks/limits.ts'
import type { LinesField } from '../../blocks/field-labels.ts'
import { SPACES, type NamingForm } from '../../blocks/settings/naming-modal.ts'
import { LINES_BLOCKS, SETTINGS_BLOCKS } from '../../ids.ts'
import { chosenOption, isChecked, type FormValues } from '../form-values.ts'
import { linesOf, textsOf } from '../lines.ts'
import { namedBy } from '../naming-rules.ts'
import { SlackInputError, type Fault } from '../slack-input-error.ts'

/** What the form about naming rules holds. */
export function readNamingForm(values: FormValues): NamingForm {
  const spaces = chosenOption(values, SETTINGS_BLOCKS.spaces)
  return {
    lowerCase: isChecked(values, SETTINGS_BLOCKS.lowerCase),
    spaces: spaces === SPACES['-'] ? '-' : spaces === SPACES._ ? '_' : null,
    sources: textsOf(values, LINES_BLOCKS.sources),
    mediums: textsOf(values, LINES_BLOCKS.mediums),
  }
}

/**
 * The rules, with the allowed values as the rules themselves write them.
 *
 * @throws SlackInputError with each fault at its input
 */
export function checkNaming({ lowerCase, spaces, sources, mediums }: NamingForm): NamingRules {
  const faults: Fault[] = []
  const style = { lowerCase, spaces }
  const rules = {
    ...style,
    sources: allowedValues(LINES_BLOCKS.sources, sources, style, faults),
    mediums: allowedValues(LINES_BLOCKS.mediums, mediums, style, faults),
  }
  if (faults.length > 0) throw new SlackInputError(faults)
  return rules
}

function allowedValues(
  field: LinesField,
  texts: readonly string[],
  style: Pick<NamingRules, 'lowerCase' | 'spaces'>,
  faults: Fault[],
): string[] {
  const { allowedValue: longest, allowedValues: most } = SETTINGS_LIMITS
  const values = new Set<string>()
  for (const line of linesOf(field, texts)) {
    const value = namedBy(style, line.text)
    const wrong = values.has(value)
      ? `“${value}” stands there already.`
      : value.length > longest
        ? `this is longer than ${longest} characters.`
        : undefined
    if (wrong) faults.push({ field: line.field, message: `Line ${line.number}: ${wrong}` })
    values.add(value)
  }
  if (values.size > most) {
    faults.push({ field, message: `These are ${values.size} values; there may be ${most}.` })
  }
  return [...values]
}
