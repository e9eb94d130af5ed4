import type { ComponentChildren } from 'preact'
import { stateOf, valueField } from '../../shared/element-state.ts'
import { html } from '../html.ts'
import { number, string } from '../../shared/json.ts'
import { fieldAttributes, type ControlProps } from './field.ts'
import { plain } from './text.ts'

const TYPES: Record<string, { type: string; inputmode: string }> = {
  plain_text_input: { type: 'text', inputmode: 'text' },
  url_text_input: { type: 'url', inputmode: 'url' },
  email_text_input: { type: 'email', inputmode: 'email' },
  // A number stays text, so that what was typed is never swallowed before anyone has judged it.
  number_input: { type: 'text', inputmode: 'decimal' },
}

/** A line of text, or several. Its length is judged when the form is sent, and counted before. */
export function TextInput({
  element,
  state,
  field,
  change,
  enter,
}: ControlProps): ComponentChildren {
  const value = string(state.value)
  const attributes = {
    ...fieldAttributes(field),
    value,
    placeholder: plain(element.placeholder),
    autocomplete: 'off',
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      change(stateOf(element, currentTarget.value === '' ? null : currentTarget.value))
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.isComposing || !enter || element.multiline === true) return
      event.preventDefault()
      enter()
    },
  }
  const counter = count(value, number(element.max_length))
  return element.multiline === true
    ? html`<div>
        <textarea class="text-input" rows="3" ...${attributes}></textarea>
        ${counter}
      </div>`
    : html`<div>
        <input class="text-input" ...${TYPES[string(element.type)]} ...${attributes} />
        ${counter}
      </div>`
}

/** How much of a limited text is used, once it comes near its end. */
function count(value: string, limit: number | undefined): ComponentChildren {
  if (limit === undefined || value.length < limit * 0.8) return undefined
  return html`<p class="counter" data-over=${value.length > limit}>${value.length} of ${limit}</p>`
}

/** A date or a time of day, by the browser's own picker. */
export function DateInput({ element, state, field, change }: ControlProps): ComponentChildren {
  return html`<input
    class="text-input"
    type=${element.type === 'datepicker' ? 'date' : 'time'}
    value=${string(state[valueField(element) ?? ''])}
    onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      change(stateOf(element, currentTarget.value || null))}
    ...${fieldAttributes(field)}
  />`
}
