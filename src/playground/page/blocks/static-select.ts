import { h, type ComponentChildren } from 'preact'
import type { SlackJson } from '../../../simulator/protocol.ts'
import { object, objects, string } from '../../shared/json.ts'
import { optionsOf, stateOf } from '../../shared/element-state.ts'
import { html } from '../html.ts'
import type { Choice, SelectProps } from './choices.ts'
import { fieldAttributes, type ControlProps } from './field.ts'
import { SearchSelect } from './search-select.ts'
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
  const hint = plain(option.description)
  return { value: string(option.value), label: plain(option.text), ...(hint && { hint }) }
}

/** So many choices are seen at a glance; among more, one searches. */
const AT_A_GLANCE = 10

/** A menu of few choices, or one to search. */
export function Select(props: SelectProps): ComponentChildren {
  const choices = props.groups.flatMap((group) => group.choices)
  const searched = choices.length > AT_A_GLANCE || choices.some(({ hint }) => hint !== undefined)
  return h(searched ? SearchSelect : PlainSelect, props)
}

/** The browser's own menu: it works by keyboard and on telephones as people know it. */
function PlainSelect({
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
