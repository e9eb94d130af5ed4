import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import {
  PREVIEW_IMAGE_MAX_BYTES,
  previewImageIssue,
  previewImageType,
  UPLOADED_IMAGE_MAX_BYTES,
  type ImageFile,
} from '../contract/preview-image.ts'

export interface Pictures {
  draw: (bytes: Uint8Array) => Promise<DrawnPicture | undefined>
  /**
   * Draws an image anew if it is too large or has metadata. Returns other images, and those that no drawing makes
   * valid, as they are. Returns undefined if the image can't be drawn.
   */
  fit: (image: ImageFile) => Promise<ImageFile | undefined>
}

interface DrawnPicture {
  bytes: Uint8Array
  format: 'jpeg' | 'png'
}

const TIMEOUT_MS = 5_000
const MAX_WAITING = 4

/** Byte sequences in a JPEG or PNG before metadata that can say where a photo was taken. */
const METADATA_MARKERS = ['Exif\0', 'eXIf', 'ns.adobe.com/xap', 'XML:com.adobe.xmp']

const fileBeside = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/**
 * Draws pictures one at a time, each in its own process: an SVG of 400 bytes can take minutes and gigabytes, and only a
 * process can be stopped in native code. The process gets no secrets, and loads nothing that an SVG refers to.
 */
export function createPictures(
  logger: Pick<Logger, 'warn'>,
  { maxWaiting = MAX_WAITING, timeout = () => AbortSignal.timeout(TIMEOUT_MS) } = {},
): Pictures {
  let last: Promise<unknown> = Promise.resolve()
  let unfinished = 0

  async function draw(bytes: Uint8Array): Promise<DrawnPicture | undefined> {
    try {
      if (unfinished > maxWaiting) throw new Error('too many pictures wait')
      unfinished += 1
      const signal = timeout()
      const drawing = last.then(() => drawInProcess(bytes, signal)).finally(() => (unfinished -= 1))
      last = drawing.catch(() => undefined)
      return await drawing
    } catch (err) {
      logger.warn({ err }, 'a picture can’t be drawn')
      return undefined
    }
  }

  return {
    draw,
    async fit(image) {
      const { filename } = image
      const bytes = Buffer.from(image.bytes.buffer, image.bytes.byteOffset, image.bytes.length)
      const needsNoDrawing =
        bytes.length <= PREVIEW_IMAGE_MAX_BYTES &&
        !METADATA_MARKERS.some((marker) => bytes.includes(marker))
      if (needsNoDrawing || previewImageIssue(image, UPLOADED_IMAGE_MAX_BYTES)) return image
      const drawn = await draw(bytes)
      if (!drawn) return undefined
      const isSameType = previewImageType(filename) === `image/${drawn.format}`
      const name = isSameType ? filename : filename.replace(/\.\w+$/, `.${drawn.format}`)
      return { filename: name, bytes: drawn.bytes }
    },
  }
}

async function drawInProcess(bytes: Uint8Array, signal: AbortSignal): Promise<DrawnPicture> {
  const { promise, resolve, reject } = Promise.withResolvers<DrawnPicture | { error: string }>()
  const child = fork(fileBeside('draw-picture.cjs'), {
    signal,
    killSignal: 'SIGKILL',
    execArgv: [],
    env: { FONTCONFIG_FILE: fileBeside('fonts.conf') },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.on('message', resolve).on('error', reject)
  child.on('exit', (code, signalName) =>
    reject(new Error(`its process ended (${signalName ?? code})`)),
  )
  child.send({ bytes, maxBytes: PREVIEW_IMAGE_MAX_BYTES })
  try {
    const drawn = await promise
    if ('error' in drawn) throw new Error(drawn.error)
    return drawn
  } finally {
    child.kill('SIGKILL')
  }
}
