import { fileURLToPath } from 'node:url'
import { Resvg } from '@resvg/resvg-js'
import { move } from 'piscina'

/* chart-pictures.ts runs this file in a thread. */

/** A font that we ship, because a chart would have no text on a server without fonts. */
const FONT_FILES = ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'].map(
  (file) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${file}`)),
)

const SCALE = 3

export function drawPicture(svg: string) {
  const image = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: SCALE },
    font: { loadSystemFonts: false, fontFiles: FONT_FILES, defaultFontFamily: 'Inter' },
  })
  return move(Uint8Array.from(image.render().asPng()))
}
