import { h, type ComponentChildren } from 'preact'
import { optionsOf, stateOf } from '../../shared/element-state.ts'
import { html } from '../html.ts'
import { number, object, objects, string } from '../../shared/json.ts'
import type { ControlProps, Field } from './field.ts'
import { text } from './text.ts'

/** Options side by side: one of them (radio buttons), or any (checkboxes, multi-selects). */
export function OptionList({ element, state, field, change }: ControlProps): ComponentChildren {
  const options = optionsOf(element)
  const one = element.type === 'radio_buttons'
  const chosen = one
    ? [string(object(state.selected_option).value)]
    : objects(state.selected_options).map(({ value }) => string(value))
  return h(Ticks, {
    field,
    single: one,
    limit: number(element.max_selected_items),
    ticks: options.map((option) => ({
      value: string(option.value),
      label: text(option.text),
      description: option.description === undefined ? '' : text(option.description),
    })),
    chosen,
    change(values) {
      const selected = options.filter(({ value }) => values.includes(string(value)))
      change(stateOf(element, one ? (selected[0] ?? null) : selected))
    },
  })
}

interface TicksProps {
  field: Field
  single?: boolean
  /** So many may be ticked at most. */
  limit?: number | undefined
  ticks: { value: string; label: ComponentChildren; description?: ComponentChildren }[]
  chosen: string[]
  change: (values: string[]) => void
}

/** Slack's radio buttons and checkboxes have no more, and are all in view; menus may have. */
const ALL_IN_VIEW = 10

/** A list to tick. */
export function Ticks({
  field,
  single = false,
  limit = Infinity,
  ticks,
  chosen,
  change,
}: TicksProps): ComponentChildren {
  const tick = (value: string, on: boolean): void => {
    const others = single ? [] : chosen.filter((one) => one !== value)
    change(on ? [...others, value] : others)
  }
  const full = !single && chosen.length >= limit
  return html`<div class="ticks" data-many=${ticks.length > ALL_IN_VIEW}>
    ${ticks.map(
      ({ value, label, description }, index) =>
        html`<label class="tick">
          <input
            type=${single ? 'radio' : 'checkbox'}
            id=${index === 0 ? field.id : `${field.id}-${index}`}
            name=${field.id}
            data-action=${field.action}
            checked=${chosen.includes(value)}
            disabled=${full && !chosen.includes(value)}
            aria-invalid=${field.invalid}
            data-focus-on-load=${field.focusOnLoad}
            onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
              tick(value, currentTarget.checked)}
          />
          <span
            >${label}${description && html`<span class="tick-description">${description}</span>`}</span
          >
        </label>`,
    )}
  </div>`
}
