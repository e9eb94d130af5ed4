import type {
  InputBlock,
  KnownBlock,
  PlainTextInput,
  SectionBlock,
  StaticSelect,
} from '@slack/types'
import type { UtmParameter } from '../../contract/create-request.ts'
import { ACTIONS } from '../ids.ts'
import type { UtmValues } from '../input/naming-rules.ts'
import { initialValue, input, option, plain, section } from '../block-kit/elements.ts'
import { FIELD_LABELS } from './field-labels.ts'
import { blockOf } from './form-blocks.ts'
import { LIMITS } from './limits.ts'

/** How the UTM parameters are asked for. */
export interface UtmSection {
  /** How often we have filled them in (form-blocks.ts). */
  filled: number
  /** What they can be filled in from. */
  fillings: readonly { key: string; label: string }[]
  /** The values that a parameter is chosen from; where there are none, it is typed. */
  allowed: (field: UtmParameter) => readonly string[]
}

const PLACEHOLDERS: [UtmParameter, string][] = [
  ['utm_source', 'newsletter'],
  ['utm_medium', 'email'],
  ['utm_campaign', 'spring-sale'],
  ['utm_term', 'running shoes'],
  ['utm_content', 'header-button'],
  ['utm_id', 'abc.123'],
]

/** The UTM parameters of the shorten form. */
export function utmInputs(values: UtmValues, utm: UtmSection): KnownBlock[] {
  return [
    heading(utm),
    ...PLACEHOLDERS.map(([field, placeholder]) => utmInput(field, values[field], placeholder, utm)),
  ]
}

function heading({ fillings, filled }: UtmSection): SectionBlock {
  const title = section('*UTM parameters*')
  if (fillings.length === 0) return title
  const options = fillings
    .slice(0, LIMITS.selectOptions)
    .map(({ key, label }) => option(label, key))
  return {
    ...title,
    // Another block each time, so that the same one can be chosen again.
    block_id: blockOf(ACTIONS.fillUtm, filled),
    accessory: {
      type: 'static_select',
      action_id: ACTIONS.fillUtm,
      placeholder: plain('Fill in from…', 150),
      options,
    },
  }
}

function utmInput(
  field: UtmParameter,
  value: string | undefined,
  placeholder: string,
  { filled, allowed }: UtmSection,
): InputBlock {
  const options = allowed(field)
    .slice(0, LIMITS.selectOptions)
    .map((one) => option(one, one))
  const block = blockOf(field, filled)
  if (options.length === 0) {
    return input<PlainTextInput>(block, FIELD_LABELS[field], {
      type: 'plain_text_input',
      placeholder: plain(placeholder, 150),
      ...initialValue(value),
    })
  }
  const initial = options.find((one) => one.value === value)
  return input<StaticSelect>(block, FIELD_LABELS[field], {
    type: 'static_select',
    options,
    placeholder: plain('Choose one', 150),
    ...(initial && { initial_option: initial }),
  })
}
