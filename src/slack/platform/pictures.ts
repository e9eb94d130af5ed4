import type { WebClient } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { withoutSlash } from '../../contract/endpoints.ts'
import { SPECIFICATION, type Capabilities } from '../../port/capabilities.ts'
import { qrPng } from '../../qr/qr-code.ts'
import { within, type Clock } from '../../timing/clock.ts'
import { retry } from '../../timing/retry.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import {
  isLoadedBySlack,
  isPicture,
  type Picture,
  type PictureState,
} from '../block-kit/elements.ts'
import type { ShownLink } from '../block-kit/shown-link.ts'
import type { Caller } from './caller.ts'
import type { PictureLinks, QrLinks } from './picture-links.ts'
import { isTimeout, slackErrorCode, slackMessages } from './slack-errors.ts'

const UPLOAD_WITHIN_MS = 4_000

/**
 * The pauses after Slack refuses a file that it is still processing. A `response_url` takes five answers. The first is
 * the message, and the last one might have to say that there is no picture. So three tries are left, with two pauses.
 */
const FILE_PAUSES_MS = [500, 2_500]

const REFUSED_FOR_MS = 10 * 60_000

/** Where a message gets its picture from: an address, from which Slack loads the picture, or an upload to Slack. */
export interface PictureSource {
  address?: string | undefined
  /**
   * Used if Slack can't load the picture from an address. If the upload fails, this is logged, and there is no picture.
   */
  upload: (() => Promise<Picture | undefined>) | 'not_allowed' | undefined
  /** Remembers that Slack couldn't load the picture, so that other messages don't try this address for a while. */
  refused?: () => void
}

export const NO_PICTURE: PictureSource = { upload: undefined }

type PictureFile = Record<'filename' | 'title' | 'alt_text', string> & { file: Buffer }

export interface PictureAccess {
  publicUrl: string | undefined
  reachesLoopback: boolean
  clock: Clock
  logger: Logger
}

type Uploader = Pick<Caller, 'client' | 'mayUploadFiles' | 'workspace'>

/** @param elsewhere another address of the same picture, such as the link service's, which is tried first */
export type DrawnPictures<C> = (caller: Uploader, content: C, elsewhere?: string) => PictureSource

export function createPictures<C>(
  options: PictureAccess & { links: PictureLinks<C>; draw: (content: C) => Promise<PictureFile> },
): DrawnPictures<C> {
  const { links, draw, publicUrl = '', reachesLoopback, clock, logger } = options
  const refusals = new LRUCache<string, true>({
    ...{ max: 1_000, ttl: REFUSED_FOR_MS, ttlResolution: 0, perf: clock },
  })

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

  return ({ client, mayUploadFiles, workspace }, content, elsewhere = '') => {
    const ours = `${withoutSlash(publicUrl)}${links.path}/${links.fileName(content)}`
    const originKey = (url: string): string => `${workspace.id} ${new URL(url).origin}`
    const address = [elsewhere, ours].find(
      (url) => isLoadedBySlack(url, reachesLoopback) && !refusals.has(originKey(url)),
    )
    return {
      address,
      upload: mayUploadFiles ? () => upload(client, content) : 'not_allowed',
      refused() {
        if (address === undefined) return
        refusals.set(originKey(address), true)
        logger.warn({ origin: new URL(address).origin }, 'Slack loads no picture from there')
      },
    }
  }
}

export type QrSource = (
  caller: Uploader,
  link: Pick<ShownLink, 'shortlink_url' | 'qrColor' | 'hasPublicQr'>,
) => Promise<PictureSource>

interface QrSourceOptions extends PictureAccess {
  qrLinks: QrLinks
  capabilities: (workspace: Workspace) => Promise<Capabilities>
}

export function createQrSource(options: QrSourceOptions): QrSource {
  const pictureSource = createPictures({
    ...options,
    links: options.qrLinks,
    draw: async ({ text, color }) => ({
      file: await qrPng(text, { color }),
      filename: 'qr.png',
      title: 'QR code',
      alt_text: `QR code for ${text}`,
    }),
  })

  return async (caller, { shortlink_url: text, qrColor: color, hasPublicQr }) => {
    if (!color) return NO_PICTURE
    const { qrPath } = hasPublicQr
      ? await options.capabilities(caller.workspace).catch(() => SPECIFICATION)
      : SPECIFICATION
    const { origin, pathname } = new URL(text)
    // The address contains the color, because Slack caches a picture by its address.
    const address = `${origin}${pathname}${qrPath ?? ''}?color=${color.slice(1)}`
    return pictureSource(caller, { text, color }, qrPath === undefined ? '' : address)
  }
}

/**
 * Shows a message whose picture Slack loads from an address.
 * @returns false, without a message, if the picture has no address, or if Slack can't load the picture from there
 */
export async function showLinked(
  { address, refused }: PictureSource,
  show: (picture: Picture) => Promise<unknown>,
): Promise<boolean> {
  if (address === undefined) return false
  try {
    await show({ image_url: address })
    return true
  } catch (error) {
    // If Slack doesn't answer in time, it is probably waiting for the picture.
    if (!isPictureRefused(error) && !isTimeout(error)) throw error
    refused?.()
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

/**
 * Shows a message with an uploaded picture. Slack refuses a file until it has processed it, so this tries a few times,
 * and then shows the message without the picture.
 */
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

/**
 * True if Slack refuses a message or a view because of its picture. The error code for a view can have other causes,
 * too, so one of the error's messages must name the picture.
 */
export function isPictureRefused(error: unknown): boolean {
  const code = slackErrorCode(error)
  if (code?.startsWith('invalid_blocks')) return true
  return (
    code === 'invalid_arguments' &&
    slackMessages(error).some((text) => /slack.file|image_url/i.test(text))
  )
}
