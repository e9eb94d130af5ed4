import type { WebClient } from '@slack/web-api'
import { PREVIEW_IMAGE_MAX_BYTES, type ImageFile } from '../../contract/create-request.ts'
import { previewImageFault } from '../../contract/preview-image.ts'
import type { KeptImage } from '../input/draft.ts'
import { SlackInputError } from '../input/slack-input-error.ts'

/** How long Slack may take to hand out a file, in milliseconds. */
const DOWNLOAD_TIMEOUT_MS = 8_000

/** Fetches images that people uploaded to Slack. */
export interface PreviewImages {
  /**
   * The image's bytes, bounded while they stream in.
   *
   * @throws SlackInputError at the image's field: too large, wrong kind, or not readable
   */
  fetch(client: WebClient, token: string, image: KeptImage): Promise<ImageFile>
}

/**
 * @param slackApiUrl Slack's Web API. The bot token is sent to Slack's own file host and, where
 *   the API is not Slack's own, to the API's origin: nowhere else.
 */
export function createPreviewImages({
  slackApiUrl,
  fetch,
}: {
  slackApiUrl: string
  fetch: typeof globalThis.fetch
}): PreviewImages {
  const fileOrigin = fileOriginOf(slackApiUrl)
  return {
    async fetch(client, token, { id, name }) {
      const { file } = await client.files.info({ file: id }).catch((cause: unknown) => {
        throw refused('I couldn’t read this image from Slack. Please upload it again.', cause)
      })
      const filename = file?.name ?? name
      if ((file?.size ?? 0) > PREVIEW_IMAGE_MAX_BYTES) throw tooLarge()
      const url = URL.parse(file?.url_private_download ?? '')
      if (url?.origin !== fileOrigin) {
        throw refused('This file isn’t kept by Slack itself. Please upload the image.')
      }
      const bytes = await download(fetch, url, token)
      checkPreviewImage({ filename, bytes })
      return { filename, bytes }
    },
  }
}

function fileOriginOf(slackApiUrl: string): string {
  const { hostname, origin } = new URL(slackApiUrl)
  return hostname === 'slack.com' || hostname.endsWith('.slack.com')
    ? 'https://files.slack.com'
    : origin
}

/** No redirect is followed: the token must not travel to another host. */
async function download(
  fetch: typeof globalThis.fetch,
  url: URL,
  token: string,
): Promise<Uint8Array> {
  const unreadable = 'I couldn’t read this image from Slack. Please try again in a moment.'
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw refused(unreadable, cause)
  })
  if (!response.ok || !response.body) throw refused(unreadable)
  // Slack answers a token without the scope files:read with a page to log in at.
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    throw refused('Backhalf may not read files here. An admin can allow it by installing it again.')
  }
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > PREVIEW_IMAGE_MAX_BYTES) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (cause) {
    throw cause instanceof SlackInputError ? cause : refused(unreadable, cause)
  }
  return Buffer.concat(chunks)
}

function checkPreviewImage(image: ImageFile): void {
  switch (previewImageFault(image)) {
    case 'size':
      throw tooLarge()
    case 'extension':
      throw refused('A preview image is a png, jpg, jpeg or svg file. Please choose another.')
    case 'content':
      throw refused(
        `“${image.filename}” isn’t what its name says. Save it as png, jpg or svg again.`,
      )
    case undefined:
  }
}

function tooLarge(): SlackInputError {
  return refused('This image is larger than 500 KB. Please choose a smaller one.')
}

function refused(message: string, cause?: unknown): SlackInputError {
  const error = new SlackInputError([{ field: 'preview_image', message }])
  if (cause !== undefined) error.cause = cause
  return error
}
