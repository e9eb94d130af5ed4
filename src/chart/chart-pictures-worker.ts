import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { Resvg } from '@resvg/resvg-js'

/* The thread that draws charts as pictures (chart-pictures.ts), one at a time. */

/** The font that we ship, because a server without fonts draws no text. */
const FONT_FILES = ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'].map(
  (file) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${file}`)),
)

/** Pixels of the picture for each pixel of the SVG. */
const SCALE = 2

parentPort?.on('message', (svg: string) => {
  const image = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: SCALE },
    font: { loadSystemFonts: false, fontFiles: FONT_FILES, defaultFontFamily: 'Inter' },
  })
  const png = Uint8Array.from(image.render().asPng())
  parentPort?.postMessage(png, [png.buffer])
})
