import { useLayoutEffect, useRef } from 'preact/hooks'
import type { RefObject } from 'preact'
import { anchorOf, atAnchor, type Anchor } from '../anchor.ts'

/**
 * Keeps the focus on an element that an app draws anew once it was used, such as the button that
 * turns a page: a block with another block_id is another block.
 *
 * @param blocks changes whenever the app may have drawn something else
 * @returns notes what has the focus, while it is being used
 */
export function useKeptFocus(root: RefObject<HTMLElement | null>, blocks: unknown): () => void {
  const used = useRef<{ element: Element | null; anchor: Anchor }>(undefined)
  useLayoutEffect(() => {
    if (!used.current || used.current.element?.isConnected) return
    if (document.activeElement === document.body) {
      atAnchor(root.current, used.current.anchor)?.focus({ preventScroll: true })
    }
    used.current = undefined
  }, [blocks])
  return () => {
    const anchor = anchorOf(root.current)
    used.current = anchor && { element: document.activeElement, anchor }
  }
}
