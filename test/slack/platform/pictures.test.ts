import { SPECIFICATION } from '../../../src/port/capabilities.ts'
import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createQrLinks } from '../../../src/slack/platform/picture-links.ts'
import {
  createQrSource,
  isPictureRefused,
  type PictureAccess,
} from '../../../src/slack/platform/pictures.ts'
import { systemClock } from '../../../src/timing/clock.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { createFakeClock } from '../../support/platform.ts'

const callerOf = (client = new WebClient(), id = 'T1') => ({
  client,
  mayUploadFiles: true,
  workspace: { id },
})

const SHORT_URL = 'https://go.example.com/x'
const link = { shortlink_url: SHORT_URL, qrColor: '#1f4f46', hasPublicQr: true }

function picturesWith({
  qrPicture = true,
  clock = systemClock,
  lines = [],
  ...access
}: Partial<Pick<PictureAccess, 'publicUrl' | 'reachesLoopback' | 'clock'>> & {
  qrPicture?: boolean
  lines?: string[]
} = {}) {
  return createQrSource({
    qrLinks: createQrLinks(createKeyring([Buffer.alloc(32, 1)])),
    capabilities: async () => ({ ...SPECIFICATION, ...(qrPicture && { qrPath: '/qr.png' }) }),
    publicUrl: undefined,
    reachesLoopback: false,
    clock,
    logger: pino({}, { write: (line: string) => void lines.push(line) }),
    ...access,
  })
}

const PUBLIC = `${SHORT_URL}/qr.png?color=1f4f46`
const APP = 'https://app.example.com'
const OWN: unknown = expect.stringMatching(/^https:\/\/app\.example\.com\/qr\/[\w-]+\.png$/)

const addressesOf = async (
  more: Partial<typeof link>,
  access?: Parameters<typeof picturesWith>[0],
): Promise<readonly string[]> =>
  (await picturesWith(access)(callerOf(), { ...link, ...more })).addresses

test.each<[shortUrl: string, address: string | undefined]>([
  [SHORT_URL, PUBLIC],
  ['https://go.example.com/s/x', `https://go.example.com/s/x/qr.png?color=1f4f46`],
  ['https://bücher.example/x', 'https://xn--bcher-kva.example/x/qr.png?color=1f4f46'],
  ['http://go.example.com/x', undefined],
  ['https://go.internal/x', undefined],
  ['https://localhost/x', undefined],
  ['https://10.0.0.1/x', undefined],
])('the public picture of %s is at %s', async (shortlink_url, address) => {
  expect(await addressesOf({ shortlink_url })).toEqual(address === undefined ? [] : [address])
})

test('prefers the public picture to the app’s own, unless the service or the link has none', async () => {
  const publicUrl = APP
  expect(await addressesOf({}, { publicUrl })).toEqual([PUBLIC, OWN])
  expect(await addressesOf({}, { publicUrl, qrPicture: false })).toEqual([OWN])
  expect(await addressesOf({ hasPublicQr: false }, { publicUrl })).toEqual([OWN])
})

test.each([undefined, 'http://app.example.com', 'https://app.internal', 'https://localhost:3000'])(
  'has no picture of its own if the public address is %s',
  async (publicUrl) => {
    expect(await addressesOf({}, { publicUrl })).toEqual([PUBLIC])
  },
)

test('leaves out an address that is too long for an image', async () => {
  const shortlink_url = `${SHORT_URL}${'x'.repeat(2_300)}`
  expect(await addressesOf({ shortlink_url }, { publicUrl: APP })).toHaveLength(1)
})

test('after Slack could not load a picture, leaves its origin out for ten minutes in that workspace', async () => {
  const clock = createFakeClock()
  const pictures = picturesWith({ clock })
  const addressesIn = async (id: string) =>
    (await pictures(callerOf(new WebClient(), id), link)).addresses
  const { refused } = await pictures(callerOf(), link)
  refused?.([PUBLIC])
  expect(await addressesIn('T1')).toEqual([])
  expect(await addressesIn('T2')).toEqual([PUBLIC])
  clock.advance(10 * 60_000)
  expect(await addressesIn('T1')).toEqual([PUBLIC])
})

test('returns no picture if the upload takes longer than 4 seconds', async () => {
  const clock = createFakeClock()
  const lines: string[] = []
  const client = new WebClient('xoxb-1', { fetch: () => new Promise(() => undefined) })
  const { otherwise } = await picturesWith({ clock, lines })(callerOf(client), link)
  const picture = typeof otherwise === 'function' ? otherwise() : undefined
  await clock.endSleep(4_000)
  expect(await picture).toBeUndefined()
  expect(lines.join()).toContain('the upload took longer than 4000 ms')
})

test.each([
  [true, 'invalid_blocks', []],
  [true, 'invalid_blocks_format', []],
  [
    true,
    'invalid_arguments',
    ['[ERROR] invalid slack file [json-pointer:/view/blocks/1/slack_file]'],
  ],
  [
    true,
    'invalid_arguments',
    ['[ERROR] downloading image failed [json-pointer:/view/blocks/1/image_url]'],
  ],
  [false, 'invalid_arguments', ['[ERROR] missing required field: title [json-pointer:/view]']],
  [false, 'invalid_arguments', []],
  [false, 'not_found', []],
])('says %s to whether Slack refused a picture with %s and %j', (expected, error, messages) => {
  const data = { ok: false, error, response_metadata: { messages } }
  expect(isPictureRefused(Object.assign(new Error(error), { data }))).toBe(expected)
})
