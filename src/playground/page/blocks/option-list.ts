import type { ComponentChildren } from 'preact'
import { stateOf } from '../../../simulator/shared/element-state.ts'
import { object, objects, string } from '../../../simulator/shared/slack-json.ts'
import { html } from '../html.ts'
import { text } from '../mrkdwn/render.ts'
import type { ControlProps } from './field.ts'

/** Radio buttons, checkboxes, or a menu of several choices, which is drawn as checkboxes. */
export function OptionList({ element, state, field, change }: ControlProps): ComponentChildren {
  const options = objects(element.options)
  const isRadio = element.type === 'radio_buttons'
  const checked = isRadio
    ? [string(object(state.selected_option).value)]
    : objects(state.selected_options).map(({ value }) => string(value))

  const check = (value: string, on: boolean): void => {
    const values = [...checked.filter((one) => !isRadio && one !== value), ...(on ? [value] : [])]
    const selected = options.filter((option) => values.includes(string(option.value)))
    change(stateOf(element, isRadio ? (selected[0] ?? null) : selected))
  }
  return html`<div class="ticks">
    ${options.map((option, index) => {
      const value = string(option.value)
      return html`<label class="tick">
        <input
          type=${isRadio ? 'radio' : 'checkbox'}
          id=${index === 0 ? field.id : `${field.id}-${index}`}
          name=${field.id}
          data-action=${field.action}
          checked=${checked.includes(value)}
          aria-invalid=${field.invalid}
          data-focus-on-load=${field.focusOnLoad}
          onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
            check(value, currentTarget.checked)}
        />
        <span>${text(option.text)}</span>
      </label>`
    })}
  </div>`
}
