/**
 * Draws the app's icon for Slack, docs/pictures/app-icon.png, from the drawing that the playground shows:
 * `npm run icon`. The manifest can't contain an icon, so it is uploaded by hand. Slack takes squares of 512 to
 * 2,000 pixels and rounds their corners itself.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'

const SIDE_PIXELS = 1024

const root = join(import.meta.dirname, '..')
const drawing = readFileSync(join(root, 'src/playground/page/icon.svg'), 'utf8')
const picture = new Resvg(drawing, { fitTo: { mode: 'width', value: SIDE_PIXELS } }).render()
writeFileSync(join(root, 'docs/pictures/app-icon.png'), picture.asPng())
