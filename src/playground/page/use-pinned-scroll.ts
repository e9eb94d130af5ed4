import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** A list counts as scrolled to its end within this many pixels. */
const NEAR_END = 40

/**
 * Keeps the end of a list in view when a message, an image or something below the list changes its
 * size. Only a person who scrolls up leaves the end. Growing content does not, even though the
 * `scroll` event from scrolling to the end can arrive after the content has grown.
 */
export function usePinnedScroll() {
  const scroller = useRef<HTMLDivElement>(null)
  /** The content of the scroller. */
  const content = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const lastTop = useRef(0)

  const keepEnd = (): void => {
    const list = scroller.current
    if (!list) return
    if (atEnd.current) list.scrollTop = list.scrollHeight
    lastTop.current = list.scrollTop
  }
  /** Handles the scroller's `scroll` events. */
  const scrolled = (): void => {
    const list = scroller.current
    if (!list) return
    const below = list.scrollHeight - list.scrollTop - list.clientHeight
    if (below < NEAR_END) atEnd.current = true
    else if (list.scrollTop < lastTop.current) atEnd.current = false
    lastTop.current = list.scrollTop
  }
  /** Scrolls to the end, and stays there. */
  const pin = (): void => {
    atEnd.current = true
    keepEnd()
  }

  useLayoutEffect(keepEnd)
  useEffect(() => {
    const resizes = new ResizeObserver(keepEnd)
    for (const { current } of [scroller, content]) if (current) resizes.observe(current)
    return () => resizes.disconnect()
  }, [])

  return { scroller, content, scrolled, pin }
}
