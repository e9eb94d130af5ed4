import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { html } from './html.ts'

interface MenuItem {
  label: string
  hint?: string
  choose: () => void
}

interface MenuProps {
  /** The button's accessible name. */
  label: string
  className: string
  face: ComponentChildren
  /** The element's action_id, with which the button gets its focus back. */
  action?: string
  items: MenuItem[]
  /** Text above the items. */
  heading?: string
}

/**
 * A button with a menu. The browser's popover shows the menu above everything, beside its button,
 * closes it on Escape or a click outside, and returns the focus.
 */
export function Menu(props: MenuProps): ComponentChildren {
  const { label, className, face, action, items, heading } = props
  const id = useId()
  const popover = useRef<HTMLDivElement>(null)
  const menuItems = (): HTMLElement[] => [
    ...(popover.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
  ]

  const toggled = ({ newState }: ToggleEvent): void => {
    if (newState === 'open') menuItems()[0]?.focus()
  }
  const step = (event: KeyboardEvent): void => {
    // The button gets the focus back, and the browser moves on from there.
    if (event.key === 'Tab') return popover.current?.hidePopover()
    const next = nextItem(event.key, menuItems(), document.activeElement)
    if (!next) return
    event.preventDefault()
    next.focus()
  }
  const item = ({ label, hint, choose }: MenuItem): ComponentChildren =>
    html`<button
      type="button"
      role="menuitem"
      tabindex="-1"
      onClick=${() => {
        popover.current?.hidePopover()
        choose()
      }}
    >
      ${label} ${hint && html`<span class="menu-hint">${hint}</span>`}
    </button>`
  return html`<span class="menu">
    <button
      type="button"
      class=${className}
      aria-label=${label}
      title=${label}
      aria-haspopup="menu"
      data-action=${action}
      popovertarget=${id}
    >
      ${face}
    </button>
    <div
      ref=${popover}
      id=${id}
      popover="auto"
      role="menu"
      aria-label=${label}
      class="menu-items"
      onToggle=${toggled}
      onKeyDown=${step}
    >
      ${heading && html`<p class="menu-heading">${heading}</p>`} ${items.map(item)}
    </div>
  </span>`
}

function nextItem(key: string, items: HTMLElement[], current: Element | null) {
  const at = items.findIndex((item) => item === current)
  switch (key) {
    case 'ArrowDown':
      return items[(at + 1) % items.length]
    case 'ArrowUp':
      return items.at(at <= 0 ? -1 : at - 1)
    case 'Home':
      return items[0]
    case 'End':
      return items.at(-1)
    default:
      return undefined
  }
}
