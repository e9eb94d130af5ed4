import type { Checkboxes, ModalView, RadioButtons } from '@slack/types'
import {
  SETTINGS_LIMITS,
  type NamingRules,
  type SettingsStore,
  type UtmTemplate,
} from '../../workspaces/settings.ts'
import { applyRules, disallowedValues } from '../../workspaces/utm.ts'
import { context, input, option } from '../block-kit/elements.ts'
import { FIELD_LABELS, type LinesField } from '../block-kit/fields.ts'
import { bold } from '../block-kit/mrkdwn.ts'
import { formatCount } from '../../web/numbers.ts'
import { LINES_BLOCKS, SETTINGS_BLOCKS, VIEWS } from '../ids.ts'
import { SlackInputError, type FieldError } from '../platform/field-errors.ts'
import { isChecked, selectedOption, type FormValues } from '../platform/form-values.ts'
import { inputTexts, linesInputs, linesOf, textsOf } from './lines.ts'
import { formModal, type SettingsForm, type WithNotice } from './settings-form.ts'

/** What the admin typed. */
export interface TypedNaming {
  lowerCase: boolean
  spaces: '-' | '_' | null
  /** The text of each input. */
  sources: readonly string[]
  mediums: readonly string[]
}

/** How UTM values are written. */
export function createNamingForm(settings: SettingsStore): SettingsForm {
  return {
    async build({ workspace }) {
      const { naming } = await settings.read(workspace.id)
      const { sources, mediums } = naming
      return namingModal({
        ...naming,
        sources: inputTexts(sources),
        mediums: inputTexts(mediums),
      })
    },
    async save({ workspace }, values, userId) {
      const naming = checkNaming(readNaming(values))
      const { templates } = await settings.update(workspace.id, userId, (current) => ({
        ...current,
        naming,
      }))
      const names = disallowedTemplates(templates, naming).map(({ name }) => bold(name))
      return names.length > 0
        ? `:white_check_mark: The rules are saved.\n\n:warning: These templates have a source or a medium that is not on the lists. Please edit them: ${names.join(', ')}.`
        : undefined
    },
    rebuild: async (_subject, values, notice) => namingModal({ ...readNaming(values), notice }),
  }
}

/** The templates with values that the rules don't allow. */
export function disallowedTemplates(
  templates: readonly UtmTemplate[],
  rules: NamingRules,
): UtmTemplate[] {
  return templates.filter(({ values }) => disallowedValues(values, rules).length > 0)
}

/** The rules as part of a sentence; empty if there are none. */
export function namingText({ lowerCase, spaces, sources, mediums }: NamingRules): string {
  return [
    ...(lowerCase ? ['everything in lower case'] : []),
    ...(spaces === null ? [] : [`\`${spaces}\` for spaces`]),
    ...(sources.length > 0 ? [formatCount(sources.length, 'allowed source')] : []),
    ...(mediums.length > 0 ? [formatCount(mediums.length, 'allowed medium')] : []),
  ].join(', ')
}

/** The option values of the replacements for a space. */
const SPACES = { '-': 'hyphen', _: 'underscore', asTyped: 'as_typed' } as const

const SPACES_OPTIONS = [
  option('A hyphen: spring-sale', SPACES['-']),
  option('An underscore: spring_sale', SPACES._),
  option('Keep spaces', SPACES.asTyped),
]

function namingModal(typed: TypedNaming & WithNotice): ModalView {
  const lowerCase = [option('Write everything in lower case', 'on')]
  const spaces = SPACES_OPTIONS.find(({ value }) => value === SPACES[typed.spaces ?? 'asTyped'])
  return formModal({
    callbackId: VIEWS.settingsNaming,
    title: 'Naming rules',
    notice: typed.notice,
    blocks: [
      context('With these rules, reports count “Spring Sale” and “spring-sale” as one.'),
      input<Checkboxes>(SETTINGS_BLOCKS.lowerCase, FIELD_LABELS.lower_case, {
        type: 'checkboxes',
        options: lowerCase,
        ...(typed.lowerCase && { initial_options: lowerCase }),
      }),
      input<RadioButtons>(
        SETTINGS_BLOCKS.spaces,
        FIELD_LABELS.spaces,
        {
          type: 'radio_buttons',
          options: SPACES_OPTIONS,
          ...(spaces && { initial_option: spaces }),
        },
        { optional: false },
      ),
      ...linesInputs(LINES_BLOCKS.sources, typed.sources, {
        required: false,
        placeholder: 'newsletter',
        hint: 'One per line, at most 100: the only allowed values for UTM source. If empty, any value is allowed.',
      }),
      ...linesInputs(LINES_BLOCKS.mediums, typed.mediums, {
        required: false,
        placeholder: 'email',
        hint: 'One per line, at most 100: the only allowed values for UTM medium. If empty, any value is allowed.',
      }),
    ],
  })
}

function readNaming(values: FormValues): TypedNaming {
  const spaces = selectedOption(values, SETTINGS_BLOCKS.spaces)
  return {
    lowerCase: isChecked(values, SETTINGS_BLOCKS.lowerCase),
    spaces: spaces === SPACES['-'] ? '-' : spaces === SPACES._ ? '_' : null,
    sources: textsOf(values, LINES_BLOCKS.sources),
    mediums: textsOf(values, LINES_BLOCKS.mediums),
  }
}

/**
 * The rules, with the allowed values rewritten by the rules themselves.
 *
 * @throws SlackInputError with each issue at its input
 */
export function checkNaming({ lowerCase, spaces, sources, mediums }: TypedNaming): NamingRules {
  const issues: FieldError[] = []
  const style = { lowerCase, spaces }
  const rules = {
    ...style,
    sources: parseAllowed(LINES_BLOCKS.sources, sources, style, issues),
    mediums: parseAllowed(LINES_BLOCKS.mediums, mediums, style, issues),
  }
  if (issues.length > 0) throw new SlackInputError(issues)
  return rules
}

function parseAllowed(
  field: LinesField,
  texts: readonly string[],
  style: Pick<NamingRules, 'lowerCase' | 'spaces'>,
  issues: FieldError[],
): string[] {
  const { allowedValue: maxLength, allowedValues: maxCount } = SETTINGS_LIMITS
  const values = new Set<string>()
  for (const line of linesOf(field, texts)) {
    const value = applyRules(style, line.text)
    const issue = values.has(value)
      ? `“${value}” is listed twice. Remove one.`
      : value.length > maxLength
        ? `this is longer than ${maxLength} characters.`
        : undefined
    if (issue) issues.push({ field: line.field, message: `Line ${line.number}: ${issue}` })
    values.add(value)
  }
  if (values.size > maxCount) {
    issues.push({
      field,
      message: `There are ${values.size} values, but at most ${maxCount} are allowed.`,
    })
  }
  return [...values]
}
