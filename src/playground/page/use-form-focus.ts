import { useEffect, useRef } from 'preact/hooks'
import type { RefObject } from 'preact'

const CONTROLS = 'input, select, textarea'

/**
 * Keeps the focus in a form where whoever fills it in would look for it: at first in its first
 * input; when what had it is gone, in the first input that is new; and at a fault.
 *
 * @param shown changes whenever the form shows something else
 * @param faults changes whenever faults have been found
 */
export function useFormFocus(
  form: RefObject<HTMLFormElement | null>,
  shown: string,
  faults: string,
): void {
  const known = useRef<Set<string>>(undefined)

  useEffect(() => {
    const controls = find(form.current, `.modal-body :is(${CONTROLS})`)
    const before = known.current
    known.current = new Set(controls.map(({ id }) => id))
    if (before && form.current?.contains(document.activeElement)) return
    const next = controls.find(({ id }) => !before?.has(id)) ?? controls[0]
    const button = find(form.current, '.dialog-buttons button').at(-1)
    ;(next ?? button)?.focus()
  }, [shown])

  useEffect(() => {
    find(form.current, `[data-invalid=true] :is(${CONTROLS})`)[0]?.focus()
  }, [faults])
}

function find(form: HTMLElement | null, selector: string): HTMLElement[] {
  return [...(form?.querySelectorAll<HTMLElement>(selector) ?? [])]
}
