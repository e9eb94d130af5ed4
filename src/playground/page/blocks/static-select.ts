import { h, type ComponentChildren } from 'preact'
import type { SlackJson } from '../../protocol.ts'
import { optionsOf, stateOf } from '../../shared/element-state.ts'
import { html } from '../html.ts'
import { object, objects, string } from '../json.ts'
import { fieldAttributes, type ControlProps, type Field } from './control.ts'
import { plain } from './text.ts'

/** One of the options that an app gives. */
export function StaticSelect({ element, state, field, change }: ControlProps): ComponentChildren {
  const groups = objects(element.option_groups).map((group) => ({
    label: plain(group.label),
    choices: objects(group.options).map(choiceOf),
  }))
  return h(Select, {
    field,
    placeholder: plain(element.placeholder) || 'Choose an option',
    clearable: field.clearable,
    groups: groups.length > 0 ? groups : [{ label: '', choices: optionsOf(element).map(choiceOf) }],
    value: string(object(state.selected_option).value),
    change(value) {
      const option = optionsOf(element).find((one) => one.value === value)
      change(stateOf(element, option ?? null))
    },
  })
}

function choiceOf(option: SlackJson): Choice {
  return { value: string(option.value), label: plain(option.text) }
}

export interface Choice {
  value: string
  label: string
}

interface SelectProps {
  field: Field
  placeholder: string
  /** Whether a choice can be taken back. */
  clearable: boolean
  groups: { label: string; choices: Choice[] }[]
  /** The chosen value, `''` for none. */
  value: string
  change: (value: string) => void
}

/** The browser's own menu: it works by keyboard and on telephones as people know it. */
export function Select({
  field,
  placeholder,
  clearable,
  groups,
  value,
  change,
}: SelectProps): ComponentChildren {
  return html`<select
    class="select"
    data-empty=${value === ''}
    value=${value}
    onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
      change(currentTarget.value)}
    ...${fieldAttributes(field)}
  >
    ${
      (clearable || value === '') &&
      html`<option value="" disabled=${!clearable}>${placeholder}</option>`
    }
    ${groups.map(({ label, choices }) =>
      label === ''
        ? choices.map(item)
        : html`<optgroup label=${label}>${choices.map(item)}</optgroup>`,
    )}
  </select>`

  function item(choice: Choice): ComponentChildren {
    return html`<option value=${choice.value} selected=${choice.value === value}>
      ${choice.label}
    </option>`
  }
}
