import { h, type ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { html, icon } from './html.ts'
import { useWorkspace } from './workspace.ts'

interface MenuItem {
  label: string
  hint?: string
  choose: () => void
}

interface MenuProps {
  label: string
  className: string
  content: ComponentChildren
  items: MenuItem[]
}

export function ShortcutsMenu({ conversation, ts }: { conversation: string; ts?: string }) {
  const { state, perform } = useWorkspace()
  const isGlobal = ts === undefined
  const items = state.app.manifest.features.shortcuts
    .filter(({ type }) => type === (isGlobal ? 'global' : 'message'))
    .map(({ name, description, callback_id: callbackId }) => ({
      label: name,
      hint: description,
      choose: () =>
        isGlobal
          ? perform({ type: 'global_shortcut', callbackId, conversation })
          : perform({ type: 'message_shortcut', callbackId, conversation, ts }),
    }))
  const label = isGlobal ? 'Shortcuts' : 'Message shortcuts'
  const content = icon(isGlobal ? 'bolt' : 'dots')
  return items.length > 0 && h(Menu, { label, content, className: 'icon-button', items })
}

/** A button with a menu. The browser closes the popover on Escape or a click outside, and focuses the button again. */
export function Menu({ label, className, content, items }: MenuProps) {
  const id = useId()
  const popover = useRef<HTMLDivElement>(null)
  const menuItems = (): HTMLElement[] => [
    ...(popover.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
  ]

  const onToggle = ({ newState }: ToggleEvent): void => {
    if (newState === 'open') menuItems()[0]?.focus()
  }
  const moveFocus = (event: KeyboardEvent): void => {
    // Closing the menu returns the focus to the button, and Tab moves on from there.
    if (event.key === 'Tab') return popover.current?.hidePopover()
    const all = menuItems()
    const index = all.findIndex((item) => item === document.activeElement)
    const steps: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: -1,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    all.at(next % all.length)?.focus()
  }
  const item = ({ label, hint, choose }: MenuItem) =>
    html`<button
      type="button"
      role="menuitem"
      tabindex="-1"
      onClick=${() => {
        popover.current?.hidePopover()
        choose()
      }}
    >
      ${label} ${hint && html`<p class="muted">${hint}</p>`}
    </button>`
  return html`<span>
    <button
      type="button"
      class=${className}
      aria-label=${label}
      title=${label}
      aria-haspopup="menu"
      popovertarget=${id}
    >
      ${content}
    </button>
    <div
      ref=${popover}
      id=${id}
      popover="auto"
      role="menu"
      aria-label=${label}
      class="menu-items"
      onToggle=${onToggle}
      onKeyDown=${moveFocus}
    >
      ${items.map(item)}
    </div>
  </span>`
}
