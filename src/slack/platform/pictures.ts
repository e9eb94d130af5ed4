import type { WebClient } from '@slack/web-api'
import type { FastifyPluginAsync } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { z } from 'zod'
import { withoutSlash } from '../../contract/endpoints.ts'
import { hexColor } from '../../contract/link-requests.ts'
import { SPECIFICATION, type Capabilities } from '../../port/capabilities.ts'
import { createQrImages, qrPng } from '../../qr/qr-code.ts'
import { within, type Clock } from '../../timing/clock.ts'
import { retry } from '../../timing/retry.ts'
import type { Keyring } from '../../workspaces/keyring.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import {
  isLoadedBySlack,
  isPicture,
  type Picture,
  type PictureState,
} from '../block-kit/messages.ts'
import type { ShownLink } from '../block-kit/shown-link.ts'
import type { Caller } from './caller.ts'
import { isTimeout, slackErrorCode, slackMessages } from './slack-errors.ts'

/** Addresses of pictures, such as QR codes. A file name is the encrypted content, so the app stores no pictures. */
export interface PictureLinks<Content> {
  path: string
  fileName(content: Content): string
  content(fileName: string): Content | undefined
}

/** @param sealContext different for each kind of picture, so that a file name of one kind is invalid for another */
export function createPictureLinks<Content>(
  keyring: Keyring,
  path: string,
  sealContext: string,
  schema: z.ZodType<Content>,
): PictureLinks<Content> {
  return {
    path,

    fileName(content) {
      const json = JSON.stringify(schema.encode(content))
      return `${keyring.seal(Buffer.from(json), sealContext).toString('base64url')}.png`
    },

    content(fileName) {
      try {
        const sealed = Buffer.from(fileName.replace(/\.png$/, ''), 'base64url')
        return schema.parse(JSON.parse(keyring.open(sealed, sealContext).toString('utf8')))
      } catch {
        return undefined
      }
    },
  }
}

const CACHE = 'public, max-age=31536000, immutable' // The URL contains everything that the picture shows.

/** Responds with 503 if `draw` can't draw the picture right now. */
export function pictureRoutes<Content>(
  links: PictureLinks<Content>,
  draw: (content: Content) => Promise<Uint8Array | undefined>,
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

const UPLOAD_WITHIN_MS = 4_000

/** A `response_url` accepts five answers: the message itself, three attempts with the picture, and one without it. */
const FILE_PAUSES_MS = [500, 2_500]

const REMEMBER_REFUSAL_MS = 10 * 60_000

/** Slack loads a message's picture from an address, or the app uploads it. */
export interface PictureSource {
  address?: string | undefined
  /** Used if Slack can't load the picture from an address. If the upload fails, it logs this and returns undefined. */
  upload: (() => Promise<Picture | undefined>) | 'not_allowed' | undefined
  /** Remembers that Slack can't load pictures from the address's host, so that other messages upload theirs. */
  rememberRefusal?: () => void
}

export const NO_PICTURE: PictureSource = { upload: undefined }

export interface PictureAccess {
  publicUrl: string | undefined
  reachesLoopback: boolean
  clock: Clock
  logger: Logger
}

type Uploader = Pick<Caller, 'client' | 'mayUploadFiles' | 'workspace'>

/** @param foreignAddress where another server shows the same picture, such as the link service. It is tried first */
export type DrawnPictures<Content> = (
  caller: Uploader,
  content: Content,
  foreignAddress?: string,
) => PictureSource

type PictureFile = Record<'filename' | 'title' | 'alt_text', string> & { file: Buffer }

export function createPictures<Content>(
  { publicUrl = '', reachesLoopback, clock, logger }: PictureAccess,
  links: PictureLinks<Content>,
  draw: (content: Content) => Promise<PictureFile>,
): DrawnPictures<Content> {
  const refusals = new LRUCache<string, true>({
    max: 1_000,
    ttl: REMEMBER_REFUSAL_MS,
    ttlResolution: 0,
    perf: clock,
  })

  async function upload(client: WebClient, content: Content): Promise<Picture | undefined> {
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

  return ({ client, mayUploadFiles, workspace }, content, foreignAddress = '') => {
    const ownAddress = `${withoutSlash(publicUrl)}${links.path}/${links.fileName(content)}`
    const originKey = (url: string): string => `${workspace.id} ${new URL(url).origin}`
    const address = [foreignAddress, ownAddress].find(
      (url) => isLoadedBySlack(url, reachesLoopback) && !refusals.has(originKey(url)),
    )
    return {
      address,
      upload: mayUploadFiles ? () => upload(client, content) : 'not_allowed',
      rememberRefusal() {
        if (address === undefined) return
        refusals.set(originKey(address), true)
        logger.warn({ origin: new URL(address).origin }, 'Slack couldn’t load a picture')
      },
    }
  }
}

export type QrLinks = PictureLinks<[text: string, color: string]>

export function createQrLinks(keyring: Keyring): QrLinks {
  return createPictureLinks(keyring, '/qr', 'qr image', z.tuple([z.string(), hexColor]))
}

export function qrImageRoutes(qrLinks: QrLinks): FastifyPluginAsync {
  const images = createQrImages()
  return pictureRoutes(qrLinks, ([text, color]) => images.draw('png', text, { color }))
}

export type QrSource = (
  caller: Uploader,
  link: Pick<ShownLink, 'shortlink_url' | 'qrColor' | 'hasPublicQr'>,
) => Promise<PictureSource>

export function createQrSource(
  options: PictureAccess & {
    qrLinks: QrLinks
    capabilities: (workspace: Workspace) => Promise<Capabilities>
  },
): QrSource {
  const pictureSource = createPictures(options, options.qrLinks, async ([text, color]) => ({
    file: await qrPng(text, { color }),
    filename: 'qr.png',
    title: 'QR code',
    alt_text: `QR code for ${text}`,
  }))

  return async (caller, { shortlink_url: shortUrl, qrColor: color, hasPublicQr }) => {
    if (!color) return NO_PICTURE
    const { qrPath } = hasPublicQr
      ? await options.capabilities(caller.workspace).catch(() => SPECIFICATION)
      : {}
    const { origin, pathname } = new URL(shortUrl)
    // The address contains the color, because Slack caches a picture by its address.
    const address = qrPath && `${origin}${pathname}${qrPath}?color=${color.slice(1)}`
    return pictureSource(caller, [shortUrl, color], address)
  }
}

/** @returns false if nothing was shown, because there is no address, or because Slack can't load the picture */
export async function showLinked(
  { address, rememberRefusal }: PictureSource,
  show: (picture: Picture) => Promise<unknown>,
): Promise<boolean> {
  if (address === undefined) return false
  try {
    await show({ image_url: address })
    return true
  } catch (error) {
    // If Slack doesn't answer in time, it is probably waiting for the picture.
    if (!isPictureRefused(error) && !isTimeout(error)) throw error
    rememberRefusal?.()
    return false
  }
}

export async function showWithPicture(
  clock: Clock,
  source: PictureSource,
  show: (picture: PictureState) => Promise<void>,
): Promise<void> {
  if (await showLinked(source, show)) return
  const { upload } = source
  await showUploaded(clock, typeof upload === 'function' ? await upload() : upload, show)
}

/** Slack refuses a file until it has processed it. So `show` is tried three times, and then without the picture. */
export async function showUploaded(
  clock: Clock,
  picture: PictureState,
  show: (picture: PictureState) => Promise<void>,
): Promise<void> {
  const waitAfter = (error: unknown, failures: number): number | undefined =>
    isPictureRefused(error) ? FILE_PAUSES_MS[failures - 1] : undefined
  await retry({ clock, waitAfter }, () => show(picture)).catch((error: unknown) => {
    if (!isPicture(picture) || !isPictureRefused(error)) throw error
    return show(undefined)
  })
}

/** For a view, `invalid_arguments` can have other causes, so one of the error's messages must name the picture. */
export function isPictureRefused(error: unknown): boolean {
  const code = slackErrorCode(error)
  if (code?.startsWith('invalid_blocks')) return true
  return (
    code === 'invalid_arguments' &&
    slackMessages(error).some((text) => /slack.file|image_url/i.test(text))
  )
}
