import { h } from 'preact'
import { useId } from 'preact/hooks'
import type { SlackJson, ViewValues } from '../../../simulator/protocol.ts'
import { stateAt, toState, valueField } from '../../../simulator/shared/element-state.ts'
import { objects, string } from '../../../simulator/shared/slack-json.ts'
import { asObject } from '../../../values/unknown-values.ts'
import { html, icon } from '../html.ts'
import { Menu } from '../menu.ts'
import { safeUrl } from '../mrkdwn/parse.ts'
import { plain } from '../mrkdwn/render.ts'
import { Control } from './control.ts'

/** What contains blocks. `hold` stores what a person has entered in an element, and `use` sends it to the app. */
export interface Surface {
  values: ViewValues
  errors: Record<string, string>
  hold: (blockId: string, element: SlackJson, state: SlackJson) => void
  use: (blockId: string, element: SlackJson, outcome: SlackJson) => void
}

export interface BlockProps {
  block: SlackJson
  surface: Surface
}

interface ElementProps extends BlockProps {
  element: SlackJson
}

export function ActionElement({ block, element, surface }: ElementProps) {
  const id = useId()
  const blockId = string(block.block_id)
  const use = (outcome: SlackJson): void => surface.use(blockId, element, outcome)
  if (element.type === 'button') return button(element, () => use({}))
  if (element.type === 'overflow') return overflow(element, use)
  return h(Control, {
    element,
    value: stateAt(surface.values, blockId, element)?.[valueField(element)],
    attributes: {
      id,
      'aria-label': plain(element.placeholder) || plain(block.text) || 'Choose',
      'data-focus-on-load': element.focus_on_load === true,
    },
    clearable: false,
    change(value) {
      const state = toState(element, value)
      surface.hold(blockId, element, state)
      use(state)
    },
  })
}

function button(element: SlackJson, press: () => void) {
  const style = string(element.style)
  if (element.url !== undefined) {
    return html`<a
      class=${`button ${style}`}
      href=${safeUrl(element.url)}
      target="_blank"
      rel="noopener noreferrer"
      onClick=${press}
      >${plain(element.text)}</a
    >`
  }
  return html`<button
    type="button"
    class=${`button ${style}`}
    aria-label=${string(element.accessibility_label) || undefined}
    onClick=${press}
  >
    ${plain(element.text)}
  </button>`
}

function overflow(element: SlackJson, use: (outcome: SlackJson) => void) {
  return h(Menu, {
    label: 'More',
    className: 'button',
    content: icon('dots'),
    items: objects(element.options).map((option) => ({
      label: plain(option.text),
      choose: () => use({ selected_option: option }),
    })),
  })
}

/** The label of an input, such as “Title optional”. Without the space, screen readers would read “Titleoptional”. */
export function inputLabel(text: string, required: boolean) {
  return required ? text : [text, ' ', html`<span class="muted">optional</span>`]
}

export function InputBlock({ block, surface }: BlockProps) {
  const { values, errors, hold } = surface
  const blockId = string(block.block_id)
  const element = asObject(block.element)
  const error = errors[blockId]
  const hint = plain(block.hint)
  const optional = block.optional === true
  const id = useId()
  const describedBy =
    [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined

  const control = h(Control, {
    element,
    value: stateAt(values, blockId, element)?.[valueField(element)],
    attributes: {
      id,
      'aria-label': plain(block.label),
      'aria-describedby': describedBy,
      'aria-required': !optional,
      'aria-invalid': error !== undefined,
      'data-focus-on-load': element.focus_on_load === true,
    },
    clearable: optional,
    change: (value) => hold(blockId, element, toState(element, value)),
  })
  const label = inputLabel(plain(block.label), !optional)
  const below = [
    error && html`<p class="input-error" id=${`${id}-error`}>${error}</p>`,
    hint && html`<p class="muted" id=${`${id}-hint`}>${hint}</p>`,
  ]
  return ['radio_buttons', 'checkboxes', 'multi_static_select'].includes(string(element.type))
    ? html`<fieldset
        class="input-block"
        data-invalid=${error !== undefined}
        aria-describedby=${describedBy}
      >
        <legend>${label}</legend>
        ${control} ${below}
      </fieldset>`
    : html`<div class="input-block" data-invalid=${error !== undefined}>
        <label for=${id}>${label}</label>
        ${control} ${below}
      </div>`
}
