import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { SimulatedApp } from '../../simulator/protocol.ts'
import { html } from './html.ts'

type Command = SimulatedApp['commands'][number]

/** The first command that begins with the typed text, above the input. The app has only one. */
export function useSuggestion(
  text: string,
  commands: readonly Command[],
  setText: (text: string) => void,
) {
  const id = useId()
  const [hiddenFor, setHiddenFor] = useState<string>()
  const isStart = hiddenFor !== text && /^\/\S*$/.test(text)
  const offered = commands.find(({ command }) => isStart && command.startsWith(text.toLowerCase()))
  const complete = (): void => setText(`${offered?.command ?? ''} `)

  const list: ComponentChildren =
    offered &&
    html`<ul class="suggestions" id=${id} role="listbox" aria-label="Commands">
      <li
        id=${`${id}-0`}
        role="option"
        aria-selected="true"
        onMouseDown=${(event: Event) => {
          // Keeps the focus in the input.
          event.preventDefault()
          complete()
        }}
      >
        <p>
          <strong>${offered.command}</strong> <span class="usage-hint">${offered.usageHint}</span>
        </p>
        <p class="muted">${offered.description}</p>
      </li>
    </ul>`
  return {
    list,
    /** The input's attributes. A textarea can't have the role combobox, but these are allowed. */
    attributes: {
      'aria-autocomplete': 'list',
      'aria-controls': offered && id,
      'aria-activedescendant': offered && `${id}-0`,
    },
    /** Completes the text on Tab and Enter, and hides the command on Escape. @returns whether the key was for that */
    take(event: KeyboardEvent): boolean {
      if (!offered || event.shiftKey) return false
      // Enter sends a command that is complete.
      const completes = event.key === 'Tab' || (event.key === 'Enter' && offered.command !== text)
      if (event.key === 'Escape') setHiddenFor(text)
      else if (completes) complete()
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}

/** The command whose name is complete and followed by a space. */
export function commandTyped(text: string, commands: readonly Command[]): Command | undefined {
  const [name] = text.split(/\s/, 1)
  return /^\S+\s/.test(text) ? commands.find(({ command }) => command === name) : undefined
}
