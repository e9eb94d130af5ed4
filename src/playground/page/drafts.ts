import { useState } from 'preact/hooks'

/**
 * A text that has not been sent. The browser tab keeps it when the person goes to another page,
 * reloads, or switches to another person.
 *
 * @param key identifies the draft
 */
export function useDraft(key: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => draftOf(key))
  const keep = (next: string): void => {
    if (next === '') sessionStorage.removeItem(storageKey(key))
    else sessionStorage.setItem(storageKey(key), next)
    setText(next)
  }
  return [text, keep]
}

export function draftOf(key: string): string {
  return sessionStorage.getItem(storageKey(key)) ?? ''
}

function storageKey(key: string): string {
  return `playground-draft ${key}`
}
