import { useLayoutEffect, useRef } from 'preact/hooks'
import type { RefObject } from 'preact'
import type { SlackJson } from '../../simulator/protocol.ts'

/** If the app removes the focused element, the browser would focus the whole page. This focuses the list instead. */
export function useKeptFocus(root: RefObject<HTMLElement | null>): void {
  // Read during the render, when the elements have not been replaced yet.
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

function findAll(within: HTMLElement | null, selector: string): HTMLElement[] {
  return [...(within?.querySelectorAll<HTMLElement>(selector) ?? [])]
}

/**
 * Moves the focus in a form to where a person expects it:
 * - when the form opens, to the input with `focus_on_load`, or else to the first input
 * - if the focused element was removed, or if the first inputs appear, to the first new input
 * - after a check, which changes the `checkKey`, to the first input with an error
 *
 * This happens before the browser paints, so that no keystroke is lost.
 */
export function useFormFocus(
  form: RefObject<HTMLFormElement | null>,
  blocks: readonly SlackJson[],
  checkKey: string,
): void {
  const contentKey = JSON.stringify(blocks)
  // Changes with a first block that is not an input, such as the app's response.
  const headKey = blocks[0]?.type === 'input' ? undefined : JSON.stringify(blocks[0])
  const knownIds = useRef<Set<string>>(undefined)

  useLayoutEffect(() => {
    const controls = findAll(form.current, `.modal-body :is(${CONTROLS})`)
    const earlierIds = knownIds.current
    knownIds.current = new Set(controls.map(({ id }) => id))
    const added = controls.filter(({ id }) => !earlierIds?.has(id))
    const requested = added.find((control) => control.dataset.focusOnLoad === 'true')
    const isFocusKept = earlierIds && form.current?.contains(document.activeElement)
    const hasFirstInputs = earlierIds?.size === 0 && added.length > 0
    if (isFocusKept && !requested && !hasFirstInputs) return
    const submitButton = findAll(form.current, '.dialog-buttons button').at(-1)
    const target = requested ?? added[0] ?? controls[0] ?? submitButton
    target?.focus()
  }, [contentKey])

  // The app's response is at the top, where a person who has scrolled down would not see it.
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
