/** Between a control and what opens beside it, and between that and the window's edge, in pixels. */
const GAP = 6

/**
 * Puts what lies above the page below a control, or above it where there is more room. It begins
 * where the control begins, or else ends where that ends, and never leaves the window.
 */
export function placeBeside(control: HTMLElement, opened: HTMLElement): void {
  const { left, right, top, bottom } = control.getBoundingClientRect()
  const { width, height } = opened.getBoundingClientRect()
  const fitsBelow = bottom + GAP + height <= innerHeight - GAP
  const below = fitsBelow || innerHeight - bottom > top
  const start = left + width + GAP <= innerWidth ? left : right - width
  opened.style.left = `${within(start, innerWidth - width)}px`
  opened.style.top = `${within(below ? bottom + GAP : top - GAP - height, innerHeight - height)}px`
}

function within(position: number, most: number): number {
  return Math.max(GAP, Math.min(position, most - GAP))
}
