import { h, type ComponentChildren } from 'preact'
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
 * A button with a menu. The browser's popover shows the menu above everything, closes it on Escape
 * or a click outside, and returns the focus.
 */
export function Menu(props: MenuProps): ComponentChildren {
  const { label, className, face, action, items, heading } = props
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  /** Whether the last item gets the focus instead of the first. */
  const fromEnd = useRef(false)

  /** Hides the menu until it is placed: `toggle` comes only after the browser has painted it. */
  const opens = ({ newState }: ToggleEvent): void => {
    if (newState === 'open' && popover.current) popover.current.style.visibility = 'hidden'
  }
  const opened = ({ newState }: ToggleEvent): void => {
    if (newState !== 'open' || !button.current || !popover.current) return
    placeBeside(button.current, popover.current)
    popover.current.style.visibility = ''
    menuItems(popover.current)
      .at(fromEnd.current ? -1 : 0)
      ?.focus()
    fromEnd.current = false
  }
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    fromEnd.current = event.key === 'ArrowUp'
    popover.current?.showPopover()
  }
  const step = (event: KeyboardEvent): void => {
    if (!popover.current) return
    // Otherwise a modal around the menu would close on Escape.
    event.stopPropagation()
    // The button gets the focus back, and the browser moves on from there.
    if (event.key === 'Tab') return popover.current.hidePopover()
    const all = menuItems(popover.current)
    const next = nextItem(event.key, all, document.activeElement)
    if (!next) return
    event.preventDefault()
    next.focus()
  }
  return html`<span class="menu">
    <button
      ref=${button}
      type="button"
      class=${className}
      aria-label=${label}
      title=${label}
      aria-haspopup="menu"
      data-action=${action}
      popovertarget=${id}
      onKeyDown=${pressed}
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
      onBeforeToggle=${opens}
      onToggle=${opened}
      onKeyDown=${step}
    >
      ${heading && html`<p class="menu-heading">${heading}</p>`}
      ${items.map((item) => h(Item, { item, close: () => popover.current?.hidePopover() }))}
    </div>
  </span>`
}

function Item({ item, close }: { item: MenuItem; close: () => void }): ComponentChildren {
  const choose = (): void => {
    close()
    item.choose()
  }
  return html`<button type="button" role="menuitem" tabindex="-1" onClick=${choose}>
    ${item.label} ${item.hint && html`<span class="menu-hint">${item.hint}</span>`}
  </button>`
}

function menuItems(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')]
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

/** The distance between a control, what opens beside it, and the window's edge, in pixels. */
const GAP = 6

/**
 * Places a popover below a control, or above it if there is more space. It is aligned with the
 * control's left or right edge, and stays inside the window.
 */
export function placeBeside(control: HTMLElement, opened: HTMLElement): void {
  const { left, right, top, bottom } = control.getBoundingClientRect()
  const { width, height } = opened.getBoundingClientRect()
  const fitsBelow = bottom + GAP + height <= innerHeight - GAP
  const below = fitsBelow || innerHeight - bottom > top
  const start = left + width + GAP <= innerWidth ? left : right - width
  opened.style.left = `${clamp(start, innerWidth - width)}px`
  opened.style.top = `${clamp(below ? bottom + GAP : top - GAP - height, innerHeight - height)}px`
}

function clamp(position: number, max: number): number {
  return Math.max(GAP, Math.min(position, max - GAP))
}
