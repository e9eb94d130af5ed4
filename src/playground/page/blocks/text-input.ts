import type { ComponentChildren } from 'preact'
import { stateOf } from '../../../simulator/shared/element-state.ts'
import { number, string } from '../../../simulator/shared/slack-json.ts'
import { html } from '../html.ts'
import { plain } from '../mrkdwn/render.ts'
import { fieldAttributes, type ControlProps } from './field.ts'

/** A line of text, or several. Its length is counted here, but checked only on submission. */
export function TextInput({
  element,
  state,
  field,
  change,
  enter,
}: ControlProps): ComponentChildren {
  const value = string(state.value)
  const type = element.type === 'url_text_input' ? 'url' : 'text'
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
  const counter = lengthCounter(value, number(element.max_length))
  return element.multiline === true
    ? html`<div>
        <textarea class="text-input" rows="3" ...${attributes}></textarea>
        ${counter}
      </div>`
    : html`<div>
        <input class="text-input" type=${type} inputmode=${type} ...${attributes} />
        ${counter}
      </div>`
}

/** The length of a text and its limit, once at least 80 % are used. */
function lengthCounter(value: string, limit: number | undefined): ComponentChildren {
  if (limit === undefined || value.length < limit * 0.8) return undefined
  return html`<p class="counter" data-over=${value.length > limit}>${value.length} of ${limit}</p>`
}

/** A date, with the browser's own picker. */
export function DateInput({ element, state, field, change }: ControlProps): ComponentChildren {
  return html`<input
    class="text-input"
    type="date"
    value=${string(state.selected_date)}
    onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      change(stateOf(element, currentTarget.value || null))}
    ...${fieldAttributes(field)}
  />`
}

/** A date and a time in the browser's time zone, with its own picker. Its value is in seconds since 1970. */
export function DateTimeInput({ element, state, field, change }: ControlProps): ComponentChildren {
  const seconds = number(state.selected_date_time)
  return html`<input
    class="text-input"
    type="datetime-local"
    value=${seconds === undefined ? '' : localTime(seconds)}
    onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      const time = new Date(currentTarget.value).getTime()
      change(stateOf(element, Number.isNaN(time) ? null : time / 1000))
    }}
    ...${fieldAttributes(field)}
  />`
}

/** `2026-12-24T18:00` in the browser's time zone. */
function localTime(seconds: number): string {
  const time = new Date(seconds * 1000)
  const offset = time.getTimezoneOffset() * 60_000
  return new Date(time.getTime() - offset).toISOString().slice(0, 16)
}
