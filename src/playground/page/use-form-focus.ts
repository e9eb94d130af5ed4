import { useLayoutEffect, useRef } from 'preact/hooks'
import type { RefObject } from 'preact'
import { anchorOf, atAnchor, type Anchor } from './anchor.ts'

const CONTROLS = 'input, select, textarea'

interface FormFocus {
  id: string
  /** Changes whenever the form shows something else. */
  shown: string
  /** What stands above all inputs, if anything does. */
  head: string | undefined
  /** Changes whenever faults have been found. */
  faults: string
  /** Where the focus was when a form was left for another, by id. */
  left: Map<string, Anchor>
}

/**
 * Keeps the focus in a form where whoever fills it in would look for it: at first in its first
 * input, or in the one that asks for it; when what had it is gone, or nothing but buttons was
 * there, in the first input that is new; at a fault; and back where it was, once a form that was
 * laid on this one is closed. All before anything of it is seen, so that no key typed at once
 * goes elsewhere.
 */
export function useFormFocus(
  form: RefObject<HTMLFormElement | null>,
  { id, shown, head, faults, left }: FormFocus,
): void {
  const known = useRef<Set<string>>(undefined)

  useLayoutEffect(
    () => () => {
      const anchor = anchorOf(form.current)
      if (anchor) left.set(id, anchor)
    },
    [],
  )
  useLayoutEffect(() => {
    const controls = find(form.current, `.modal-body :is(${CONTROLS})`)
    const before = known.current
    known.current = new Set(controls.map(({ id }) => id))
    const fresh = controls.filter(({ id }) => !before?.has(id))
    const asking = fresh.find((one) => one.dataset.focusOnLoad === 'true')
    const kept = before && form.current?.contains(document.activeElement)
    const firstInputs = before?.size === 0 && fresh.length > 0
    if (kept && !asking && !firstInputs) return
    const button = find(form.current, '.dialog-buttons button').at(-1)
    const anchor = before ? undefined : left.get(id)
    const anchored = anchor && atAnchor(form.current, anchor)
    ;(anchored ?? asking ?? fresh[0] ?? controls[0] ?? button)?.focus()
  }, [shown])

  // Whoever has scrolled down and pressed the button would not see that the app has answered.
  const isOpening = useRef(true)
  useLayoutEffect(() => {
    if (head && !isOpening.current) form.current?.querySelector('.modal-body')?.scrollTo(0, 0)
    isOpening.current = false
  }, [head])

  useLayoutEffect(() => {
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
