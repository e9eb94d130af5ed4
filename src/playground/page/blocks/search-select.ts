import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { html } from '../html.ts'
import { placeBeside } from '../place-beside.ts'
import type { Choice, Group, SelectProps } from './choices.ts'
import { fieldAttributes } from './field.ts'

/** A menu that one can search: for many choices, or those that say more than their name. */
export function SearchSelect(props: SelectProps): ComponentChildren {
  const { field, placeholder, clearable, groups, value, change } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  /** What is searched for; undefined while the list is closed. */
  const [query, setQuery] = useState<string>()
  const [marked, setMarked] = useState(0)
  const open = query !== undefined

  const none: Choice[] = clearable ? [{ value: '', label: placeholder }] : []
  const all = [...none, ...groups.flatMap(({ choices }) => choices)]
  const chosen = all.find((one) => one.value !== '' && one.value === value)
  const offered = all.filter((choice) => matches(choice, query ?? ''))
  const found = groups.map(({ label, choices }) => ({
    label,
    choices: choices.filter((choice) => offered.includes(choice)),
  }))
  const at = Math.min(marked, offered.length - 1)

  useLayoutEffect(() => {
    if (!open || !input.current || !list.current) return undefined
    const [control, opened] = [input.current, list.current]
    opened.showPopover()
    const place = (): void => {
      opened.style.width = `${control.offsetWidth}px`
      placeBeside(control, opened)
    }
    place()
    // What it stands in may scroll below it.
    addEventListener('scroll', place, true)
    return () => removeEventListener('scroll', place, true)
  }, [open, offered.length])
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [open, at])

  useLayoutEffect(() => {
    // What is typed next takes the place of the name that stands there.
    if (!open && document.activeElement === input.current) input.current?.select()
  }, [open])

  const show = (): void => {
    setQuery('')
    setMarked(chosen ? all.indexOf(chosen) : 0)
  }
  const hide = (): void => {
    setQuery(undefined)
    list.current?.hidePopover()
  }
  const choose = (choice: Choice | undefined): void => {
    if (!choice) return
    hide()
    if (choice.value !== value) change(choice.value)
  }
  const pressed = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        const step = event.key === 'ArrowDown' ? 1 : offered.length - 1
        if (open) setMarked((at + step) % Math.max(1, offered.length))
        else show()
        break
      }
      case 'Enter':
        if (open) choose(offered[at])
        else show()
        break
      case 'Escape':
        if (!open) return
        hide()
        break
      default:
        return
    }
    // Neither the form is sent nor what it stands in closed.
    event.preventDefault()
    event.stopPropagation()
  }
  const item = (choice: Choice): ComponentChildren => {
    const index = offered.indexOf(choice)
    return html`<div
      id=${`${id}-${index}`}
      role="option"
      aria-selected=${index === at}
      data-chosen=${choice === chosen}
      onMouseMove=${() => setMarked(index)}
      onClick=${() => choose(choice)}
    >
      ${choice.label} ${choice.hint && html`<span class="menu-hint">${choice.hint}</span>`}
    </div>`
  }
  const group = ({ label, choices }: Group): ComponentChildren =>
    label === '' || choices.length === 0
      ? choices.map(item)
      : html`<div role="group" aria-label=${label}>
          <p class="menu-heading" aria-hidden="true">${label}</p>
          ${choices.map(item)}
        </div>`
  return html`<div class="search-select">
    <input
      ref=${input}
      class="text-input select"
      role="combobox"
      autocomplete="off"
      spellcheck=${false}
      aria-expanded=${open}
      aria-haspopup="listbox"
      aria-autocomplete="list"
      aria-controls=${open && at >= 0 ? id : undefined}
      aria-activedescendant=${open && at >= 0 ? `${id}-${at}` : undefined}
      placeholder=${open && chosen ? chosen.label : placeholder}
      value=${query ?? chosen?.label ?? ''}
      onFocus=${({ currentTarget }: { currentTarget: HTMLInputElement }) => currentTarget.select()}
      onMouseDown=${() => (open ? undefined : show())}
      onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => {
        setQuery(currentTarget.value)
        setMarked(0)
      }}
      onKeyDown=${pressed}
      onBlur=${hide}
      ...${fieldAttributes(field)}
    />
    <div
      ref=${list}
      class="menu-items options"
      popover="manual"
      onMouseDown=${(event: Event) => event.preventDefault() /* The input keeps the focus. */}
    >
      ${
        open &&
        (offered.length > 0
          ? html`<div id=${id} role="listbox" aria-label=${field.name}>
              ${none.filter((one) => offered.includes(one)).map(item)} ${found.map(group)}
            </div>`
          : html`<p class="muted">Nothing here has “${query}” in it.</p>`)
      }
    </div>
  </div>`
}

function matches({ label, hint = '' }: Choice, query: string): boolean {
  const sought = query.trim().toLowerCase()
  return [label, hint].some((text) => text.toLowerCase().includes(sought))
}
