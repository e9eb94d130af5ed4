import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

export const LOGO = html`<svg
  class="logo"
  xmlns="http://www.w3.org/2000/svg"
  viewBox="0 0 32 32"
  aria-hidden="true"
>
  <rect width="32" height="32" rx="8" fill="#1f4f46" />
  <g fill="none" stroke="#fbfaf7" stroke-width="3" stroke-linecap="round">
    <path d="M14 11h-3a5 5 0 0 0 0 10h3" />
    <path d="M18 11h3a5 5 0 0 1 0 10h-3" />
    <path d="M12.5 16h7" />
  </g>
</svg>`

export const LOGO_SVG = renderToString(LOGO)

export const LOGO_DATA_URL = `data:image/svg+xml,${encodeURIComponent(LOGO_SVG)}`

const DRAWINGS = {
  joined: ['M68 20H46a20 20 0 0 0 0 40h22', 'M92 20h22a20 20 0 0 1 0 40H92', 'M56 40h48'],
  broken: [
    'M60 20H40a20 20 0 0 0 0 40h20',
    'M100 20h20a20 20 0 0 1 0 40h-20',
    'M50 40h14',
    'M96 40h14',
  ],
}

export function linkDrawing(state: keyof typeof DRAWINGS): VNode {
  return html`<svg
    class="drawing"
    viewBox="16 8 128 64"
    fill="none"
    stroke-width="6"
    stroke-linecap="round"
    aria-hidden="true"
  >
    ${DRAWINGS[state].map((line) => html`<path d=${line} />`)}
  </svg>`
}
