import { SETTINGS_LIMITS, type NamingRules } from '../../workspaces/settings.ts'
import { applyRules, disallowedValues } from '../../workspaces/utm.ts'
import { context, option, present } from '../block-kit/elements.ts'
import type { Field } from '../block-kit/fields.ts'
import { checkbox, choiceInput, formModal } from '../block-kit/inputs.ts'
import { bold } from '../block-kit/mrkdwn.ts'
import { formatCount } from '../../web/numbers.ts'
import { VIEWS } from '../ids.ts'
import { SlackInputError, type FieldError } from '../platform/field-errors.ts'
import { isChecked, selectedOption, type FormValues } from '../platform/form-values.ts'
import { linesInput, typedLines, type SettingsForm } from './settings-form.ts'

export const namingForm: SettingsForm = {
  async build({ settings }, workspace) {
    const { naming } = await settings.read(workspace.id)
    const { lowerCase, spaces, sources, mediums } = naming
    const listHint = (name: string): string =>
      `One per line, at most 100: the only allowed values for UTM ${name}. If empty, any value is allowed.`
    return formModal({
      callbackId: VIEWS.settingsNaming,
      title: 'Naming rules',
      close: 'Back',
      blocks: [
        context('With these rules, reports count “Spring Sale” and “spring-sale” as one.'),
        checkbox('lower_case', 'Write everything in lower case', lowerCase),
        choiceInput('spaces', SPACES_OPTIONS, SPACES[spaces ?? 'asTyped'], {
          type: 'radio_buttons',
        }),
        linesInput('allowed_sources', sources, {
          placeholder: 'newsletter',
          hint: listHint('source'),
        }),
        linesInput('allowed_mediums', mediums, { placeholder: 'email', hint: listHint('medium') }),
      ],
    })
  },
  async save({ settings }, { workspace }, values, userId) {
    const { templates, naming } = await settings.update(workspace.id, userId, (current) => ({
      ...current,
      naming: readNaming(values),
    }))
    const names = templates
      .filter((template) => disallowedValues(template.values, naming).length > 0)
      .map(({ name }) => bold(name))
    return names.length > 0
      ? `:white_check_mark: The rules are saved.\n\n:warning: These templates have a source or a medium that is not on the lists. Please edit them: ${names.join(', ')}.`
      : undefined
  },
}

// "everything in lower case, `-` for spaces, 3 allowed sources"
export function namingText({ lowerCase, spaces, sources, mediums }: NamingRules): string {
  return present([
    lowerCase && 'everything in lower case',
    spaces !== null && `\`${spaces}\` for spaces`,
    sources.length > 0 && formatCount(sources.length, 'allowed source'),
    mediums.length > 0 && formatCount(mediums.length, 'allowed medium'),
  ]).join(', ')
}

const SPACES = { '-': 'hyphen', _: 'underscore', asTyped: 'as_typed' } as const

const SPACES_OPTIONS = [
  option('A hyphen: spring-sale', SPACES['-']),
  option('An underscore: spring_sale', SPACES._),
  option('Keep spaces', SPACES.asTyped),
]

export function readNaming(values: FormValues): NamingRules {
  const spaces = selectedOption(values, 'spaces')
  const style = {
    lowerCase: isChecked(values, 'lower_case'),
    spaces: spaces === SPACES['-'] ? '-' : spaces === SPACES._ ? '_' : null,
  } as const
  const issues: FieldError[] = []
  const readAllowed = (field: Field): string[] => {
    const allowed = new Set<string>()
    for (const { number, text } of typedLines(values, field)) {
      const value = applyRules(style, text)
      const problem = allowed.has(value)
        ? `“${value}” is listed twice. Remove one.`
        : findProblem(value)
      if (problem) issues.push({ field, message: `Line ${number}: ${problem}` })
      allowed.add(value)
    }
    if (allowed.size > MAX_VALUES) {
      const message = `There are ${allowed.size} values, but at most ${MAX_VALUES} are allowed. Remove some.`
      issues.push({ field, message })
    }
    return [...allowed]
  }
  const sources = readAllowed('allowed_sources')
  const mediums = readAllowed('allowed_mediums')
  if (issues.length > 0) throw new SlackInputError(issues)
  return { ...style, sources, mediums }
}

const { allowedValue: MAX_LENGTH, allowedValues: MAX_VALUES } = SETTINGS_LIMITS

function findProblem(value: string): string | undefined {
  if (value.length > MAX_LENGTH) return `this is longer than ${MAX_LENGTH} characters. Shorten it.`
  if (value.includes(',')) return 'write each value on a line of its own, without commas.'
  return undefined
}
