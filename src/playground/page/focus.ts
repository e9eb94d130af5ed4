import { useLayoutEffect, useRef } from 'preact/hooks'
import type { RefObject } from 'preact'

/**
 * Moves the focus to the list if the app removes the focused element. Otherwise, the focus would move to the whole
 * page.
 */
export function useKeptFocus(root: RefObject<HTMLElement | null>): void {
  // Read while the component renders, because the browser still shows the earlier elements then.
  const hadFocus = root.current?.contains(document.activeElement)
  const focusList = (): void => {
    root.current?.closest<HTMLElement>('.scroll')?.focus({ preventScroll: true })
  }
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body) focusList()
  })
  useLayoutEffect(
    () => () => {
      if (root.current?.contains(document.activeElement)) focusList()
    },
    [],
  )
}

const CONTROLS = 'input, select, textarea'

interface FormFocus {
  contentKey: string
  headKey: string | undefined
  checkKey: string
}

function findAll(within: HTMLElement | null, selector: string): HTMLElement[] {
  return [...(within?.querySelectorAll<HTMLElement>(selector) ?? [])]
}

/**
 * Moves the focus in a form to where a person expects it:
 * - at first, to the first input, or to the one that asks for it
 * - if the focused element was removed, or if the first inputs appear, to the first new input
 * - after a check, to the first error
 *
 * This happens before the browser paints, so that no keystroke is lost.
 */
export function useFormFocus(
  form: RefObject<HTMLFormElement | null>,
  { contentKey, headKey, checkKey }: FormFocus,
): void {
  const known = useRef<Set<string>>(undefined)

  useLayoutEffect(() => {
    const controls = findAll(form.current, `.modal-body :is(${CONTROLS})`)
    const before = known.current
    known.current = new Set(controls.map(({ id }) => id))
    const added = controls.filter(({ id }) => !before?.has(id))
    const asking = added.find((control) => control.dataset.focusOnLoad === 'true')
    const isKept = before && form.current?.contains(document.activeElement)
    const areFirst = before?.size === 0 && added.length > 0
    if (isKept && !asking && !areFirst) return
    const button = findAll(form.current, '.dialog-buttons button').at(-1)
    ;(asking ?? added[0] ?? controls[0] ?? button)?.focus()
  }, [contentKey])

  // A person who has scrolled down to a button would not see the app's response at the top.
  const isOpening = useRef(true)
  useLayoutEffect(() => {
    if (headKey && !isOpening.current) form.current?.querySelector('.modal-body')?.scrollTo(0, 0)
    isOpening.current = false
  }, [headKey])

  useLayoutEffect(() => {
    const [invalid] = findAll(form.current, '[data-invalid=true]')
    if (!invalid) return
    findAll(invalid, CONTROLS)[0]?.focus()
    // The error is below the input.
    invalid.scrollIntoView({ block: 'nearest' })
  }, [checkKey])
}
