import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { RefObject } from 'preact'

/** Whoever is within this many pixels of the end has it before them. */
const NEAR_END = 40

/** A log that stays at its end for whoever reads there. */
interface Following {
  scroller: RefObject<HTMLDivElement | null>
  /** What scrolls in it. */
  content: RefObject<HTMLDivElement | null>
  /** Listens to `scroll`. */
  scrolled: () => void
  /** Goes to the end, and stays there. */
  follow: () => void
}

/**
 * Keeps the end in view, whatever grows or shrinks: a message, an image that has just arrived, or
 * what stands below the log. Only a person who scrolls up leaves the end. That there is suddenly
 * more below does not, as the `scroll` of going to the end comes late enough to see that.
 */
export function useFollowing(): Following {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const lastTop = useRef(0)

  const keepEnd = (): void => {
    const list = scroller.current
    if (!list) return
    if (atEnd.current) list.scrollTop = list.scrollHeight
    lastTop.current = list.scrollTop
  }
  const scrolled = (): void => {
    const list = scroller.current
    if (!list) return
    const left = list.scrollHeight - list.scrollTop - list.clientHeight
    if (left < NEAR_END) atEnd.current = true
    else if (list.scrollTop < lastTop.current) atEnd.current = false
    lastTop.current = list.scrollTop
  }
  const follow = (): void => {
    atEnd.current = true
    keepEnd()
  }

  useLayoutEffect(keepEnd)
  useEffect(() => {
    const resizes = new ResizeObserver(keepEnd)
    for (const { current } of [scroller, content]) if (current) resizes.observe(current)
    return () => resizes.disconnect()
  }, [])

  return { scroller, content, scrolled, follow }
}
