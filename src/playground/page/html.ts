import htm from 'htm'
import { h, type VNode } from 'preact'

/** Creates an element from HTML. Values become text, never markup. For a component, use `h`, which checks its props. */
export const html = htm.bind(h) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode

const ICON_PATHS = {
  bolt: 'M13 3 5 13.5h6L10 21l8-10.5h-6z',
  chart: 'M4 20h16M7 16v-5M12 16V6M17 16v-8',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6 6 18',
  dots: 'M4.4 11.4h1.2v1.2H4.4zM11.4 11.4h1.2v1.2h-1.2zM18.4 11.4h1.2v1.2h-1.2z',
  eye: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zm9-2.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  file: 'M13 3H6v18h12V8z M13 3v5h5',
  hash: 'M9 4 7 20M17 4l-2 16M4.5 9h16M3.5 15h16',
  home: 'M4 11 12 4l8 7M6 10v10h12V10',
  menu: 'M4 7h16M4 12h16M4 17h16',
  message: 'M4 5h16v11H10l-5 4v-4H4z',
  reply: 'M10 8 5 13l5 5M5 13h9a5 5 0 0 0 5-5V6',
  send: 'M4 12 20 4l-5 16-4-6z',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17.5v.01',
}

export function icon(name: keyof typeof ICON_PATHS): VNode {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d=${ICON_PATHS[name]} />
  </svg>`
}

/** A button that shows only an icon. Its label is for screen readers, and also its tooltip. */
export function iconButton(
  name: keyof typeof ICON_PATHS,
  label: string,
  onClick: () => void,
  attributes: Record<string, unknown> = {},
): VNode {
  return html`<button
    type="button"
    class="icon-button"
    aria-label=${label}
    title=${label}
    onClick=${onClick}
    ...${attributes}
  >
    ${icon(name)}
  </button>`
}
