import { h, type ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { SlackJson } from '../../../simulator/protocol.ts'
import { objects, string } from '../../../simulator/shared/slack-json.ts'
import { html, icon } from '../html.ts'
import { Menu } from '../menu.ts'
import { plain } from '../mrkdwn/render.ts'
import { Control } from './control.ts'
import { useSurface } from './field.ts'

interface ElementProps {
  blockId: string
  element: SlackJson
}

/** An element outside of an input block, which notifies the app as soon as it is used. */
export function ActingElement({ blockId, element }: ElementProps): ComponentChildren {
  const { values, hold, use } = useSurface()
  const id = useId()
  if (element.type === 'button') return h(Button, { blockId, element })
  if (element.type === 'overflow') return h(Overflow, { blockId, element })
  const actionId = string(element.action_id)
  return h(Control, {
    element,
    state: values[blockId]?.[actionId] ?? {},
    field: {
      id,
      action: actionId,
      name: plain(element.placeholder) || 'Choose',
      required: false,
      clearable: false,
      invalid: false,
      focusOnLoad: element.focus_on_load === true,
    },
    change(state) {
      hold(blockId, element, state)
      use(blockId, element, state)
    },
  })
}

function Button({ blockId, element }: ElementProps): ComponentChildren {
  const { use } = useSurface()
  const style = element.style === 'primary' || element.style === 'danger' ? element.style : ''
  return html`<button
    type="button"
    class=${`button ${style}`}
    data-action=${string(element.action_id)}
    aria-label=${string(element.accessibility_label) || undefined}
    onClick=${() => use(blockId, element, {})}
  >
    ${plain(element.text)}
  </button>`
}

function Overflow({ blockId, element }: ElementProps): ComponentChildren {
  const { use } = useSurface()
  return h(Menu, {
    label: 'More',
    className: 'button overflow',
    face: icon('dots'),
    action: string(element.action_id),
    items: objects(element.options).map((option) => ({
      label: plain(option.text),
      choose: () => use(blockId, element, { selected_option: option }),
    })),
  })
}
