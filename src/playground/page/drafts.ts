import { useState } from 'preact/hooks'

/**
 * A text that was begun and not sent, kept for as long as the browser's tab is: also while one is
 * elsewhere, reloads the page, or is somebody else.
 *
 * @param place what the draft belongs to
 */
export function useDraft(place: string): [text: string, keep: (text: string) => void] {
  const key = `playground-draft ${place}`
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  const keep = (next: string): void => {
    if (next === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, next)
    setText(next)
  }
  return [text, keep]
}
