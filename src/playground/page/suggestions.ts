import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { SimulatedApp } from '../../simulator/protocol.ts'
import { html } from './html.ts'

/** A list of commands above the input, to complete the typed text with. */
interface Suggestions {
  list: ComponentChildren
  /** The input's attributes that describe the list. */
  attributes: Record<string, unknown>
  /**
   * Handles the arrow keys, Tab and Enter to complete, and Escape to hide the list.
   *
   * @returns whether the key was for the list
   */
  take: (event: KeyboardEvent) => boolean
}

export function useSuggestions(
  text: string,
  commands: SimulatedApp['commands'],
  complete: (text: string) => void,
): Suggestions {
  const id = useId()
  const [marked, setMarked] = useState(0)
  const [hiddenFor, setHiddenFor] = useState<string>()
  const offered = hiddenFor === text ? [] : completions(text, commands)
  const at = Math.min(marked, offered.length - 1)
  const chosen = offered[at]

  const take = (event: KeyboardEvent): boolean => {
    if (!chosen || event.shiftKey) return false
    switch (event.key) {
      case 'ArrowDown':
        setMarked((at + 1) % offered.length)
        break
      case 'ArrowUp':
        setMarked((at + offered.length - 1) % offered.length)
        break
      case 'Escape':
        setHiddenFor(text)
        break
      case 'Enter':
        // Enter sends a command that is complete.
        if (chosen.command === text) return false
        complete(`${chosen.command} `)
        break
      case 'Tab':
        complete(`${chosen.command} `)
        break
      default:
        return false
    }
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const list =
    chosen &&
    html`<ul class="suggestions" id=${id} role="listbox" aria-label="Commands">
      ${offered.map(
        ({ command, usageHint, description }, index) =>
          html`<li
            id=${`${id}-${index}`}
            role="option"
            aria-selected=${index === at}
            onMouseDown=${(event: Event) => {
              // Keeps the focus in the input.
              event.preventDefault()
              complete(`${command} `)
            }}
          >
            <p><strong>${command}</strong> <span class="usage-hint">${usageHint}</span></p>
            <p class="muted">${description}</p>
          </li>`,
      )}
    </ul>`
  return {
    list,
    attributes: {
      // A textarea can't have the role combobox, but these attributes are allowed.
      'aria-autocomplete': 'list',
      'aria-controls': chosen && id,
      'aria-activedescendant': chosen && `${id}-${at}`,
    },
    take,
  }
}

type Command = SimulatedApp['commands'][number]

/** The commands that begin with the typed text. */
function completions(text: string, commands: readonly Command[]): Command[] {
  if (!/^\/\S*$/.test(text)) return []
  return commands.filter(({ command }) => command.startsWith(text.toLowerCase()))
}

/** The command whose name is complete and followed by a space. */
export function commandTyped(text: string, commands: readonly Command[]): Command | undefined {
  const [name] = text.split(/\s/, 1)
  return /^\S+\s/.test(text) ? commands.find(({ command }) => command === name) : undefined
}
