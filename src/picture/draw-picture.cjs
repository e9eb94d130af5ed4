'use strict'
const { writeFile } = require('node:fs')
const { setPriority } = require('node:os')
const sharp = require('sharp')

/* A process that draws one picture. Then pictures.ts kills it. */

const WIDTH = 1200
const HEIGHT = 630

const MAX_PIXELS = 40_000_000

/** With the most pixels, a progressive JPEG needs 200 MB of memory, and an interlaced PNG 270 MB. */
const MAX_MEMORY_BYTES = 300_000_000

const end = () => process.kill(process.pid, 'SIGKILL')
// sharp works in other threads, so it never keeps this timer from firing.
setInterval(() => process.memoryUsage.rss() > MAX_MEMORY_BYTES && end(), 10)
process.once('disconnect', end)
// The lower priority leaves the CPU to redirects.
setPriority(5)
// If memory runs out, Linux kills this process instead of Backhalf.
writeFile('/proc/self/oom_score_adj', '1000', () => {})

sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Svg'].map((format) => `VipsForeignLoad${format}Buffer`),
})

process.once('message', ({ bytes, maxBytes }) => {
  draw(bytes, maxBytes).then(
    (drawn) => process.send(drawn),
    (error) => process.send({ error: String(error) }),
  )
})

/** Removes the metadata. A JPEG stays a JPEG. Others become a PNG, or a JPEG if an opaque PNG would be too large. */
async function draw(bytes, maxBytes) {
  const source = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
  const { format } = await source.metadata()
  const isSvg = format === 'svg'
  const { data, info } = await source
    .autoOrient()
    .resize(WIDTH, HEIGHT, { fit: 'inside', withoutEnlargement: !isSvg })
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const picture = () => sharp(data, { raw: { width, height, channels } })
  const isPhoto = !isSvg && (format === 'jpeg' || (await picture().stats()).isOpaque)
  const palette = { palette: true, effort: 1 }
  const attempts = format === 'jpeg' ? [] : [picture().png()]
  if (isPhoto) {
    attempts.push(picture().jpeg({ quality: 85 }), picture().jpeg({ quality: 50 }))
  } else {
    const smaller = picture().resize(Math.ceil(width * 0.6))
    attempts.push(picture().png(palette), smaller.png(palette))
  }
  for (const attempt of attempts) {
    const drawn = await attempt.toBuffer({ resolveWithObject: true })
    if (drawn.data.length <= maxBytes) return { bytes: drawn.data, format: drawn.info.format }
  }
  throw new Error('the picture stays too large')
}
