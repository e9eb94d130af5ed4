import { h, type ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { SlackJson } from '../../../simulator/protocol.ts'
import { objects, string } from '../../shared/json.ts'
import { html } from '../html.ts'
import { icon } from '../icons.ts'
import { Menu } from '../menu.ts'
import { safeLink } from '../safe-url.ts'
import { Control } from './control.ts'
import { useSurface } from './surface.ts'
import { plain } from './text.ts'

interface ElementProps {
  blockId: string
  element: SlackJson
}

/** An element outside of an input block: using it tells the app at once. */
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
  const href = safeLink(element.url)
  const style = element.style === 'primary' || element.style === 'danger' ? element.style : ''
  const props = {
    class: `button ${style}`,
    'data-action': string(element.action_id),
    'aria-label': string(element.accessibility_label) || undefined,
    onClick: () => use(blockId, element, {}),
  }
  const label: ComponentChildren = plain(element.text)
  return href === undefined
    ? html`<button type="button" ...${props}>${label}</button>`
    : html`<a href=${href} target="_blank" rel="noopener noreferrer" ...${props}>${label}</a>`
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
      hint: plain(option.description),
      href: safeLink(option.url),
      choose: () => use(blockId, element, { selected_option: option }),
    })),
  })
}
