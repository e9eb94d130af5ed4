/** An element that can be found again when it was drawn anew: its action_id, and which with that. */
export interface Anchor {
  action: string
  nth: number
}

/** What has the focus within something. */
export function anchorOf(within: HTMLElement | null): Anchor | undefined {
  const { activeElement: active } = document
  const action = active instanceof HTMLElement ? active.dataset.action : undefined
  if (action === undefined) return undefined
  const nth = named(within, action).findIndex((one) => one === active)
  return nth < 0 ? undefined : { action, nth }
}

/** The element that an anchor names now, or the last one like it. */
export function atAnchor(
  within: HTMLElement | null,
  { action, nth }: Anchor,
): HTMLElement | undefined {
  const all = named(within, action)
  return all[nth] ?? all.at(-1)
}

function named(within: HTMLElement | null, action: string): HTMLElement[] {
  const all = [...(within?.querySelectorAll<HTMLElement>('[data-action]') ?? [])]
  return all.filter((one) => one.dataset.action === action)
}
