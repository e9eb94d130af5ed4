import { h, type ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { html } from './html.ts'
import { placeBeside } from './place-beside.ts'

export interface MenuItem {
  label: string
  hint?: string
  /** For an item that leads somewhere. */
  href?: string | undefined
  choose: () => void
}

interface MenuProps {
  /** The button's name. */
  label: string
  className: string
  face: ComponentChildren
  /** By which the focus finds the button again: the element's action_id. */
  action?: string
  items: MenuItem[]
  /** Words above the items. */
  heading?: string
}

/**
 * A button with a menu. The browser's popover keeps it above everything and closes it on Escape
 * or a click elsewhere, and gives the focus back.
 */
export function Menu(props: MenuProps): ComponentChildren {
  const { label, className, face, action, items, heading } = props
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  /** Whether the last item gets the focus, not the first. */
  const fromEnd = useRef(false)

  /** The browser tells of the opening after it has drawn it, where it was placed before. */
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
    // Nothing around the menu should take its keys for its own, Escape least of all.
    event.stopPropagation()
    // From the button on, which gets the focus back.
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
  const content = html`<span>
    ${item.label} ${item.hint && html`<span class="menu-hint">${item.hint}</span>`}
  </span>`
  return item.href === undefined
    ? html`<button type="button" role="menuitem" tabindex="-1" onClick=${choose}>
        ${content}
      </button>`
    : html`<a
        href=${item.href}
        target="_blank"
        rel="noopener noreferrer"
        role="menuitem"
        tabindex="-1"
        onClick=${choose}
        >${content}</a
      >`
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
