import { useEffect, useRef } from 'preact/hooks'
import type { RefObject } from 'preact'

const CONTROLS = 'input, select, textarea'

/**
 * Keeps the focus in a form where whoever fills it in would look for it: at first in its first
 * input, or in the one that asks for it; when what had it is gone, or nothing but buttons was
 * there, in the first input that is new; and at a fault.
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
    const fresh = controls.filter(({ id }) => !before?.has(id))
    const asking = fresh.find((one) => one.dataset.focusOnLoad === 'true')
    const kept = before && form.current?.contains(document.activeElement)
    const firstInputs = before?.size === 0 && fresh.length > 0
    if (kept && !asking && !firstInputs) return
    const button = find(form.current, '.dialog-buttons button').at(-1)
    ;(asking ?? fresh[0] ?? controls[0] ?? button)?.focus()
  }, [shown])

  useEffect(() => {
    const [fault] = find(form.current, '[data-invalid=true]')
    if (!fault) return
    const able = (selector: string): HTMLElement | undefined =>
      find(fault, selector).find((one) => one.checkVisibility())
    ;(able(CONTROLS) ?? able('button'))?.focus()
    // Its words stand below it.
    fault.scrollIntoView({ block: 'nearest' })
  }, [faults])
}

function find(within: HTMLElement | null, selector: string): HTMLElement[] {
  return [...(within?.querySelectorAll<HTMLElement>(selector) ?? [])]
}
