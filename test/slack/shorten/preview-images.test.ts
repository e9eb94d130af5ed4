import { expect, test, vi } from 'vitest'
import type { ImageFile } from '../../../src/contract/preview-image.ts'
import { createFileDownload } from '../../../src/slack/platform/slack-files.ts'
import { fetchPreviewImage } from '../../../src/slack/shorten/preview-images.ts'
import { PNG } from '../../support/images.ts'
import { createFakeClock, fakeCaller } from '../../support/platform.ts'

const IMAGE = { id: 'F1', name: 'card.png' }
const UNREADABLE = 'This image couldn’t be read from Slack. Please try again, or upload it again.'
const TOO_LARGE = 'This image is larger than 10 MB. Please choose a smaller one.'

interface Options {
  slackApiUrl?: string
  /** What `files.info` answers; undefined: it fails. */
  file?: { name?: string; size?: number; url_private_download?: string } | undefined
  /** What a picture becomes when it is made small enough; by default, it stays as it is. */
  fit?: (image: ImageFile) => ImageFile | undefined
  answer?: (signal: AbortSignal | null | undefined) => Response | Promise<Response>
}

const FILE = { url_private_download: 'https://files.slack.com/card.png' }
const HTML = { headers: { 'content-type': 'text/html' } }

function setUp({
  slackApiUrl = 'https://slack.com/api/',
  answer,
  fit = (image) => image,
  ...options
}: Options) {
  const { file } = { file: FILE, ...options }
  const clock = createFakeClock()
  const requests: { url: string; init: RequestInit | undefined }[] = []
  const caller = fakeCaller()
  const info = vi.spyOn(caller.client.files, 'info')
  if (file) info.mockResolvedValue({ ok: true, file })
  else info.mockRejectedValue(new Error('file_not_found'))
  const download = createFileDownload(slackApiUrl, clock, async (url, init) => {
    requests.push({ url: String(url instanceof Request ? url.url : url), init })
    return answer?.(init?.signal) ?? new Response(PNG)
  })
  const pictures = { fit: async (image: ImageFile) => fit(image) }
  return { fetch: () => fetchPreviewImage(download, pictures, caller, IMAGE), requests, clock }
}

test.each([
  ['https://slack.com/api/', 'https://files.slack.com/files-pri/T1-F1/card.png'],
  ['https://grid.slack.com/api/', 'https://files.slack.com/files-pri/T1-F1/card.png'],
  ['http://127.0.0.1:4000/api/', 'http://127.0.0.1:4000/files/F1'],
])('with the API at %s, downloads from %s with the token', async (slackApiUrl, url) => {
  const { fetch, requests } = setUp({ slackApiUrl, file: { url_private_download: url } })
  const { filename, bytes } = await fetch()
  expect(filename).toBe('card.png')
  expect(Buffer.from(bytes)).toEqual(Buffer.from(PNG))
  const signal: unknown = expect.any(AbortSignal)
  const init = { headers: { authorization: 'Bearer xoxb-1' }, redirect: 'manual', signal }
  expect(requests).toEqual([{ url, init }])
})

test.each([
  ['https://slack.com/api/', 'https://evil.example/card.png'],
  ['https://slack.com/api/', 'http://files.slack.com/card.png'],
  ['https://slack.com/api/', undefined],
  ['http://127.0.0.1:4000/api/', 'https://files.slack.com/card.png'],
  ['https://slack.com.evil.example/api/', 'https://files.slack.com/card.png'],
])('with the API at %s, sends the token nowhere for a file at %s', async (slackApiUrl, url) => {
  const file = url ? { url_private_download: url } : {}
  const { fetch, requests } = setUp({ slackApiUrl, file })
  const message = 'Slack doesn’t store this file itself. Please upload the image.'
  await expect(fetch()).rejects.toMatchObject({ issues: [{ field: 'preview_image', message }] })
  expect(requests).toEqual([])
})

const brokenOff = () =>
  new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })

test.each<[string, Options, string]>([
  ['Slack does not find the file', { file: undefined }, UNREADABLE],
  ['Slack says that it is too large', { file: { ...FILE, size: 10_240_001 } }, TOO_LARGE],
  [
    'it is too large, whatever Slack says',
    { file: { ...FILE, size: 10 }, answer: () => new Response(new Uint8Array(10_240_001)) },
    TOO_LARGE,
  ],
  [
    'Slack’s file host fails with a page',
    { answer: () => new Response('<html>', { status: 503, ...HTML }) },
    UNREADABLE,
  ],
  ['Slack redirects', { answer: () => new Response('Moved', { status: 302 }) }, UNREADABLE],
  ['Slack can’t be reached', { answer: () => Promise.reject(new Error('reset')) }, UNREADABLE],
  ['the download breaks off', { answer: () => new Response(brokenOff()) }, UNREADABLE],
  [
    'Slack answers with its login page',
    { answer: () => new Response('<html>', HTML) },
    'Backhalf doesn’t have permission to read files in this workspace. An admin can allow it by installing Backhalf again with files:read.',
  ],
  [
    'its name is not that of an image',
    { file: { ...FILE, name: 'card.gif' } },
    'A preview image is a png, jpg, jpeg or svg file. Please choose another.',
  ],
  [
    'it can’t be shrunk',
    { fit: () => undefined },
    'This image couldn’t be shrunk. Save it again as png or jpg, or try again in a minute.',
  ],
])('refuses an image if %s', async (_reason, options, message) => {
  await expect(setUp(options).fetch()).rejects.toMatchObject({
    issues: [{ field: 'preview_image', message }],
  })
})

test('returns the image as it was shrunk', async () => {
  const shrunk = { filename: 'card.jpeg', bytes: PNG }
  expect(await setUp({ fit: () => shrunk }).fetch()).toBe(shrunk)
})

test('refuses an image after 3 s if its download hangs', async () => {
  const { fetch, clock } = setUp({
    answer: (signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  })
  const refused = expect(fetch()).rejects.toMatchObject({ issues: [{ message: UNREADABLE }] })
  await clock.endSleep(3_000)
  await refused
})
