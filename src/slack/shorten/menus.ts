import type { InputBlock, KnownBlock, SectionBlock } from '@slack/types'
import { LINK_FIELDS, UTM_PARAMETERS, type UtmParameter } from '../../contract/link-fields.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import type { UtmTemplate } from '../../workspaces/settings.ts'
import { templateKey, type UtmValues } from '../../workspaces/utm.ts'
import { button, code, option, plain, section } from '../block-kit/elements.ts'
import { FIELD_LABELS, fieldBlockId } from '../block-kit/fields.ts'
import { choiceInput, textInput } from '../block-kit/inputs.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { bold, cut } from '../block-kit/mrkdwn.ts'
import { ACTIONS } from '../ids.ts'
import { errorAt } from '../platform/field-errors.ts'

/**
 * Returns no input if there is only one domain. If the selected domain is not in the menu, the user has to choose one, so
 * that the link doesn't get a domain that no one asked for.
 */
export function domainInput(
  selected: string | undefined,
  domains: readonly DomainRecord[],
): InputBlock[] {
  const at = selected === undefined ? 0 : indexOfDomain(selected, domains)
  if (domains.length === 1 && at === 0) return []
  const options = domains.map(({ name, domain_name }) => option(domain_name, name))
  return [choiceInput('domain', options, options[at]?.value, { optional: false })]
}

export function indexOfDomain(
  wanted: string | undefined,
  domains: readonly DomainRecord[],
): number {
  return domains.findIndex(
    ({ name, domain_name: host }) =>
      name === wanted || host.toLowerCase() === wanted?.toLowerCase(),
  )
}

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
  throw errorAt('template', message)
}

export interface UtmSection {
  fillCount: number
  presets: readonly { key: string; label: string }[]
  allowed: (name: UtmParameter) => readonly string[]
  /** Undefined without a destination, or if a value is invalid. */
  visitedUrl: string | undefined
  hasErrors: boolean
}

export function utmInputs(values: UtmValues, utm: UtmSection): KnownBlock[] {
  return [
    utmHeading(utm),
    ...UTM_PARAMETERS.map((name) => utmInput(name, values[name], utm)),
    ...visitedUrlBlocks(utm),
  ]
}

const INVALID = ':warning: Correct the inputs that have a warning above'

/** The form shows the URL as of its last update, and doesn't update while the user types (docs/decisions.md). */
function visitedUrlBlocks({ visitedUrl: url, hasErrors }: UtmSection): KnownBlock[] {
  const [label, next] = url
    ? ['Update', 'After a change, press _Update_.']
    : ['Show', `${hasErrors ? INVALID : 'Fill in the destination'}, then press _Show_.`]
  return [
    {
      ...section(`*URL that visitors will reach*\n${next}`),
      accessory: button(label, ACTIONS.showVisitedUrl),
    },
    ...(url ? [code(cut(url, LIMITS.sectionText))] : []),
  ]
}

function utmHeading({ presets, fillCount }: UtmSection): SectionBlock {
  const heading = section(bold(FIELD_LABELS.utm_analytics_enabled))
  if (presets.length === 0) return heading
  const options = presets.slice(0, LIMITS.selectOptions).map(({ key, label }) => option(label, key))
  return {
    ...heading,
    // A new block_id each time, so that the user can choose the same preset again.
    block_id: fieldBlockId(ACTIONS.fillUtm, fillCount),
    accessory: {
      type: 'static_select',
      action_id: ACTIONS.fillUtm,
      placeholder: plain('Fill in from…', LIMITS.placeholder),
      options,
    },
  }
}

/** A menu also has the current value, even if it is not allowed: otherwise, it would be lost without a message. */
function utmInput(name: UtmParameter, value: string | undefined, utm: UtmSection) {
  const { fillCount } = utm
  const choices = utm.allowed(name)
  if (choices.length === 0 || (value && value.length > LIMITS.optionValue)) {
    return textInput(name, value, { fillCount, placeholder: LINK_FIELDS[name].example })
  }
  const values = new Set([...(value ? [value] : []), ...choices])
  const options = Array.from(values, (choice) => option(choice, choice))
  return choiceInput(name, options, value, { fillCount, placeholder: 'Choose one' })
}
