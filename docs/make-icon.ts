/**
 * Draws the app's icon for Slack, docs/pictures/app-icon.png: `npm run icon`. The manifest can't contain an
 * icon, so it is uploaded by hand. Slack takes squares of 512 to 2,000 pixels and rounds their corners itself.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'

const SIDE_PIXELS = 1024

/** The two halves of a link, joined, as in src/web/logo.ts; larger and in two colors, to be seen at 36 pixels. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <defs>
    <linearGradient id="ground" x1="0" y1="0" x2="0.4" y2="1">
      <stop offset="0" stop-color="#2f7d6b" />
      <stop offset="1" stop-color="#173d37" />
    </linearGradient>
  </defs>
  <rect width="32" height="32" fill="url(#ground)" />
  <g fill="none" stroke="#fbfaf7" stroke-width="3.4" stroke-linecap="round">
    <path d="M13.2 9.8h-2.2a6.2 6.2 0 0 0 0 12.4h2.2" />
    <path d="M18.8 9.8h2.2a6.2 6.2 0 0 1 0 12.4h-2.2" stroke="#a3ddca" />
    <path d="M12 16h8" />
  </g>
</svg>`

const picture = new Resvg(ICON, { fitTo: { mode: 'width', value: SIDE_PIXELS } }).render()
writeFileSync(join(import.meta.dirname, 'pictures/app-icon.png'), picture.asPng())
