import { fileURLToPath } from 'node:url'
import { Resvg } from '@resvg/resvg-js'
import { move } from 'piscina'

/* The thread in which chart-pictures.ts draws charts. */

// We ship a font, because a server might have none, and the chart would then have no text.
const FONT_FILES = ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'].map(
  (file) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${file}`)),
)

export function drawPicture(svg: string) {
  const image = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: 3 },
    font: { loadSystemFonts: false, fontFiles: FONT_FILES, defaultFontFamily: 'Inter' },
  })
  return move(Uint8Array.from(image.render().asPng()))
}
