import type { WebClient } from '@slack/web-api'
import type { FastifyPluginAsync } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { hexColor } from '../../contract/link-requests.ts'
import { qrPng } from '../../qr/qr-code.ts'
import { createQrImages } from '../../qr/qr-images.ts'
import { within, type Clock } from '../../timing/clock.ts'
import { retry } from '../../timing/retry.ts'
import type { Keyring } from '../../workspaces/keyring.ts'
import { isPicture, type Picture, type PictureState } from '../block-kit/elements.ts'
import { LIMITS } from '../block-kit/limits.ts'
import type { Caller } from './caller.ts'
import { slackErrorCode, slackMessages } from './slack-errors.ts'

/** How long drawing and uploading a picture may take, in milliseconds. */
const UPLOAD_WITHIN_MS = 4_000

/**
 * How long to wait after Slack refused a file that it is still processing, in milliseconds. A `response_url` takes
 * five answers: the message, three tries to show its picture, and a message that it can't be shown.
 */
const FILE_PAUSES_MS = [500, 2_500]

interface PictureFile {
  file: Buffer
  filename: string
  title: string
  alt_text: string
}

interface PictureOptions<C> {
  links: PictureLinks<C>
  draw: (content: C) => Promise<PictureFile>
  /** The app's public address. Slack shows images from https addresses only. */
  publicUrl: string | undefined
  clock: Clock
  logger: Logger
}

/** Makes pictures of one kind that Slack can show. */
type Pictures<C> = ReturnType<typeof createPictures<C>>

export function createPictures<C>({ links, draw, publicUrl, clock, logger }: PictureOptions<C>) {
  const base = publicUrl?.startsWith('https:') ? publicUrl.replace(/\/$/, '') : undefined

  async function upload(client: WebClient, content: C): Promise<Picture | undefined> {
    try {
      const uploading = draw(content).then((file) => client.filesUploadV2(file))
      const uploaded = await within(clock, UPLOAD_WITHIN_MS, uploading)
      if (!uploaded) throw new Error(`the upload took longer than ${UPLOAD_WITHIN_MS} ms`)
      const id = uploaded.value.files[0]?.files?.[0]?.id
      if (!id) throw new Error('Slack named no file after the upload')
      return { slack_file: { id } }
    } catch (err) {
      logger.warn({ err }, 'a picture could not be uploaded to Slack')
      return undefined
    }
  }

  return {
    /**
     * A picture for a message: at an address of the app if Slack can reach it, otherwise uploaded to Slack.
     *
     * @returns at once what needs no upload; otherwise a promise, which never rejects. It is undefined if the
     *   upload fails or takes too long; the reason is in the log.
     */
    picture(
      { client, mayUploadFiles }: Pick<Caller, 'client' | 'mayUploadFiles'>,
      content: C,
    ): Picture | 'not_allowed' | undefined | Promise<Picture | undefined> {
      if (base === undefined) return mayUploadFiles ? upload(client, content) : 'not_allowed'
      const image_url = `${base}${links.path}/${links.fileName(content)}`
      // Only an extremely long short URL exceeds the limit.
      return image_url.length <= LIMITS.imageUrl ? { image_url } : undefined
    },
  }
}

/** Makes QR images that Slack can show. */
export type QrPictures = Pictures<QrContent>

export function createQrPictures({
  qrLinks,
  ...options
}: { qrLinks: QrLinks } & Pick<
  PictureOptions<QrContent>,
  'publicUrl' | 'clock' | 'logger'
>): QrPictures {
  return createPictures({
    ...options,
    links: qrLinks,
    draw: async ({ text, color }) => ({
      file: await qrPng(text, { color }),
      filename: 'qr.png',
      title: 'QR code',
      alt_text: `QR code for ${text}`,
    }),
  })
}

/**
 * Shows something with a picture. Slack refuses an uploaded file until it has processed it, so this
 * tries again a few times and finally shows it without the picture.
 *
 * @param show called with the picture, and with undefined if Slack keeps refusing it
 */
export async function showWithPicture<S extends PictureState>(
  clock: Clock,
  picture: S | undefined,
  show: (picture: S | undefined) => Promise<void>,
): Promise<void> {
  // A picture at an address either loads at once or never.
  const pauses = isPicture(picture) && 'slack_file' in picture ? FILE_PAUSES_MS : []
  const waitAfter = (error: unknown, failures: number): number | undefined =>
    isPictureRefused(error) ? pauses[failures - 1] : undefined
  await retry({ clock, waitAfter }, () => show(picture)).catch((error: unknown) => {
    if (!isPicture(picture) || !isPictureRefused(error)) throw error
    return show(undefined)
  })
}

/**
 * Whether Slack refused the blocks, which is its answer for a file that it has not processed yet. In a
 * view, the code may be `invalid_arguments`, which also stands for other mistakes: then Slack's messages
 * must name the file.
 */
export function isPictureRefused(error: unknown): boolean {
  const code = slackErrorCode(error)
  if (code?.startsWith('invalid_blocks')) return true
  return (
    code === 'invalid_arguments' && slackMessages(error).some((text) => /slack.file/i.test(text))
  )
}

/**
 * File names of pictures that only this app can make: the encrypted content of the picture. The endpoint
 * therefore stores nothing, and draws nothing that the app did not ask for.
 */
export type PictureLinks<C> = ReturnType<typeof createPictureLinks<C>>

/**
 * @param path of the pictures, such as `/qr`
 * @param sealContext what the content is sealed with; differs for each kind of picture
 * @param format the content as short JSON, and back
 */
export function createPictureLinks<C>(
  keyring: Keyring,
  path: string,
  sealContext: string,
  format: { encode: (content: C) => unknown; decoder: z.ZodType<C> },
) {
  return {
    path,

    /** The picture's file name. */
    fileName(content: C): string {
      const json = JSON.stringify(format.encode(content))
      return `${keyring.seal(Buffer.from(json), sealContext).toString('base64url')}.png`
    },

    /** The content of a file name; undefined if this app did not make it. */
    content(fileName: string): C | undefined {
      try {
        const sealed = Buffer.from(fileName.replace(/\.png$/, ''), 'base64url')
        const json = keyring.open(sealed, sealContext).toString('utf8')
        return format.decoder.parse(JSON.parse(json))
      } catch {
        return undefined
      }
    },
  }
}

/** The URL of a picture contains everything that the picture shows, so the picture never changes. */
const CACHE = 'public, max-age=31536000, immutable'

/**
 * `GET {path}/{file}`: pictures in Slack messages, drawn from what their URL contains.
 *
 * @param draw returns undefined if too many pictures are drawn at once
 */
export function pictureRoutes<C>(
  links: PictureLinks<C>,
  draw: (content: C) => Promise<Uint8Array | undefined>,
): FastifyPluginAsync {
  return async (scope) => {
    scope.get<{ Params: { file: string } }>(`${links.path}/:file`, async ({ params }, reply) => {
      const content = links.content(params.file)
      if (!content) return reply.callNotFound()
      const png = await draw(content)
      if (!png) return reply.code(503).header('retry-after', 1).send()
      return reply.type('image/png').header('cache-control', CACHE).send(png)
    })
  }
}

/** What a QR image encodes, and in which color (`#RRGGBB`). */
interface QrContent {
  text: string
  color: string
}

/** The file names of QR images, below `/qr/`. */
export type QrLinks = PictureLinks<QrContent>

export function createQrLinks(keyring: Keyring): QrLinks {
  return createPictureLinks(keyring, '/qr', 'qr image', {
    encode: ({ text, color }) => [text, color],
    decoder: z.tuple([z.string(), hexColor]).transform(([text, color]) => ({ text, color })),
  })
}

/** `GET /qr/{file}`: the QR images in Slack messages. */
export function qrImageRoutes(qrLinks: QrLinks): FastifyPluginAsync {
  const images = createQrImages()
  return pictureRoutes(qrLinks, ({ text, color }) => images.draw('png', text, { color }))
}
