import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { html } from '../html.ts'
import { placeBeside } from '../menu.ts'
import { fieldAttributes, type Field } from './field.ts'

interface Choice {
  value: string
  label: string
}

export interface SelectProps {
  field: Field
  placeholder: string
  choices: Choice[]
  /** The selected value, or `''`. */
  value: string
  change: (value: string) => void
}

/** A menu that can be searched, for many choices. */
export function SearchSelect(props: SelectProps): ComponentChildren {
  const { field, placeholder, choices, value, change } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  /** The search; undefined while the list is closed. */
  const [query, setQuery] = useState<string>()
  const [marked, setMarked] = useState(0)
  const open = query !== undefined

  const none: Choice[] = field.clearable ? [{ value: '', label: placeholder }] : []
  const all = [...none, ...choices]
  const selected = all.find((one) => one.value !== '' && one.value === value)
  const sought = (query ?? '').trim().toLowerCase()
  const offered = all.filter(({ label }) => label.toLowerCase().includes(sought))
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
    // The form around the input can scroll while the list is open.
    addEventListener('scroll', place, true)
    return () => removeEventListener('scroll', place, true)
  }, [open, offered.length])
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [open, at])

  useLayoutEffect(() => {
    // What is typed next replaces the selected name.
    if (!open && document.activeElement === input.current) input.current?.select()
  }, [open])

  const show = (): void => {
    setQuery('')
    setMarked(selected ? all.indexOf(selected) : 0)
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
    // Otherwise Enter would submit the form, and Escape would close the modal.
    event.preventDefault()
    event.stopPropagation()
  }
  const option = (choice: Choice, index: number): ComponentChildren =>
    html`<div
      id=${`${id}-${index}`}
      role="option"
      aria-selected=${index === at}
      data-chosen=${choice === selected}
      onMouseMove=${() => setMarked(index)}
      onClick=${() => choose(choice)}
    >
      ${choice.label}
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
      placeholder=${open && selected ? selected.label : placeholder}
      value=${query ?? selected?.label ?? ''}
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
      onMouseDown=${(event: Event) => event.preventDefault() /* Keeps the focus in the input. */}
    >
      ${
        open &&
        (offered.length > 0
          ? html`<div id=${id} role="listbox" aria-label=${field.name}>${offered.map(option)}</div>`
          : html`<p class="muted">No matches for “${query}”</p>`)
      }
    </div>
  </div>`
}
