import { useState } from 'preact/hooks'

/**
 * A text that was begun and not sent, kept for as long as the browser's tab is: also while one is
 * elsewhere, reloads the page, or is somebody else.
 *
 * @param place what the draft belongs to
 */
export function useDraft(place: string): [text: string, keep: (text: string) => void] {
  const [text, setText] = useState(() => draftOf(place))
  const keep = (next: string): void => {
    if (next === '') sessionStorage.removeItem(keyOf(place))
    else sessionStorage.setItem(keyOf(place), next)
    setText(next)
  }
  return [text, keep]
}

/** What stands there now. */
export function draftOf(place: string): string {
  return sessionStorage.getItem(keyOf(place)) ?? ''
}

function keyOf(place: string): string {
  return `playground-draft ${place}`
}
