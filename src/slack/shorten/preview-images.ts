import {
  previewImageIssue,
  UPLOADED_IMAGE_MAX_BYTES,
  type ImageFile,
} from '../../contract/preview-image.ts'
import type { Pictures } from '../../picture/pictures.ts'
import type { Clock } from '../../timing/clock.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { SLACK_TIMEOUT_MS, withTimeout } from '../platform/slack-client.ts'
import type { UploadedImage } from './draft.ts'

/** Fetches images that users uploaded to Slack. */
export type PreviewImages = ReturnType<typeof createPreviewImages>

/**
 * @param slackApiUrl Slack's Web API. The bot token is sent to Slack's own file host, or to the API's
 *   origin if the API is not Slack's own, and nowhere else.
 */
export function createPreviewImages({
  slackApiUrl,
  clock,
  fetch,
  pictures,
}: {
  slackApiUrl: string
  clock: Pick<Clock, 'sleep'>
  pictures: Pick<Pictures, 'fit'>
  fetch: typeof globalThis.fetch
}) {
  const fileOrigin = fileOriginOf(slackApiUrl)
  return {
    /**
     * Downloads an image, stops if it is too large, and shrinks it if it is larger than a link’s may be.
     *
     * @throws SlackInputError at the image's field if it is too large, of the wrong kind or unreadable
     */
    async fetch({ client, token }: Caller, { id, name }: UploadedImage): Promise<ImageFile> {
      const { file } = await client.files.info({ file: id }).catch((cause: unknown) => {
        throw refused('This image couldn’t be read from Slack. Please upload it again.', cause)
      })
      const filename = file?.name ?? name
      if ((file?.size ?? 0) > UPLOADED_IMAGE_MAX_BYTES) throw tooLarge()
      const url = URL.parse(file?.url_private_download ?? '')
      if (url?.origin !== fileOrigin) {
        throw refused('Slack doesn’t store this file itself. Please upload the image.')
      }
      const bytes = await withTimeout(clock, SLACK_TIMEOUT_MS, (signal) =>
        download((input, init) => fetch(input, { ...init, signal }), url, token),
      )
      checkPreviewImage({ filename, bytes })
      const fitted = await pictures.fit({ filename, bytes })
      if (fitted) return fitted
      throw refused(
        'This image couldn’t be shrunk. Save it again as png or jpg, or try again in a minute.',
      )
    },
  }
}

function fileOriginOf(slackApiUrl: string): string {
  const { hostname, origin } = new URL(slackApiUrl)
  return hostname === 'slack.com' || hostname.endsWith('.slack.com')
    ? 'https://files.slack.com'
    : origin
}

/** Follows no redirect: the token must not be sent to another host. */
async function download(
  fetch: typeof globalThis.fetch,
  url: URL,
  token: string,
): Promise<Uint8Array> {
  const unreadable = 'This image couldn’t be read from Slack. Please try again in a moment.'
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'manual',
  }).catch((cause: unknown) => {
    throw refused(unreadable, cause)
  })
  if (!response.ok || !response.body) throw refused(unreadable)
  // To a token without the scope files:read, Slack answers with a login page.
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    throw refused(
      'Backhalf may not read files here. An admin can allow it by installing Backhalf again.',
    )
  }
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > UPLOADED_IMAGE_MAX_BYTES) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (cause) {
    throw cause instanceof SlackInputError ? cause : refused(unreadable, cause)
  }
  return Buffer.concat(chunks)
}

function checkPreviewImage(image: ImageFile): void {
  switch (previewImageIssue(image, UPLOADED_IMAGE_MAX_BYTES)) {
    case 'size':
      throw tooLarge()
    case 'extension':
      throw refused('A preview image is a png, jpg, jpeg or svg file. Please choose another.')
    case 'content':
      throw refused(
        `“${image.filename}” isn’t the kind of file that its name says it is. Save it again as png, jpg or svg.`,
      )
    case undefined:
  }
}

function tooLarge(): SlackInputError {
  return refused('This image is larger than 10 MB. Please choose a smaller one.')
}

function refused(message: string, cause?: unknown): SlackInputError {
  return new SlackInputError([{ field: 'preview_image', message }], { cause })
}
