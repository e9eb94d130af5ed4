import { SPECIFICATION } from '../../../src/port/capabilities.ts'
import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import {
  createQrLinks,
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

const addressOf = async (
  more: Partial<typeof link>,
  access?: Parameters<typeof picturesWith>[0],
): Promise<string | undefined> =>
  (await picturesWith(access)(callerOf(), { ...link, ...more })).address

test.each<[shortUrl: string, address: string | undefined]>([
  [SHORT_URL, PUBLIC],
  ['https://go.example.com/s/x', `https://go.example.com/s/x/qr.png?color=1f4f46`],
  ['https://bücher.example/x', 'https://xn--bcher-kva.example/x/qr.png?color=1f4f46'],
  ['http://go.example.com/x', undefined],
  ['https://go.internal/x', undefined],
  ['https://localhost/x', undefined],
  ['https://10.0.0.1/x', undefined],
])('the public picture of %s is at %s', async (shortlink_url, address) => {
  expect(await addressOf({ shortlink_url })).toBe(address)
})

test('prefers the public picture to the app’s own, unless the service or the link has none', async () => {
  const publicUrl = APP
  expect(await addressOf({}, { publicUrl })).toBe(PUBLIC)
  expect(await addressOf({}, { publicUrl, qrPicture: false })).toEqual(OWN)
  expect(await addressOf({ hasPublicQr: false }, { publicUrl })).toEqual(OWN)
})

test.each([undefined, 'http://app.example.com', 'https://app.internal', 'https://localhost:3000'])(
  'has no picture of its own if the public address is %s',
  async (publicUrl) => {
    expect(await addressOf({ hasPublicQr: false }, { publicUrl })).toBeUndefined()
  },
)

test('leaves out an address that is too long for an image', async () => {
  const shortlink_url = `${SHORT_URL}${'x'.repeat(2_300)}`
  expect(await addressOf({ shortlink_url })).toBe(`${shortlink_url}/qr.png?color=1f4f46`)
  const longer = `${shortlink_url}${'x'.repeat(1_000)}`
  expect(await addressOf({ shortlink_url: longer }, { publicUrl: APP })).toBeUndefined()
})

test('after Slack could not load a picture, leaves its origin out for ten minutes in that workspace', async () => {
  const clock = createFakeClock()
  const pictures = picturesWith({ clock, publicUrl: APP })
  const sourceIn = (id: string) => pictures(callerOf(new WebClient(), id), link)
  const addressIn = async (id: string) => (await sourceIn(id)).address
  ;(await sourceIn('T1')).rememberRefusal?.()
  expect(await addressIn('T1')).toEqual(OWN)
  ;(await sourceIn('T1')).rememberRefusal?.()
  expect(await addressIn('T1')).toBeUndefined()
  expect(await addressIn('T2')).toBe(PUBLIC)
  clock.advance(10 * 60_000 + 1)
  expect(await addressIn('T1')).toBe(PUBLIC)
})

test('returns no picture if the upload takes longer than 4 seconds', async () => {
  const clock = createFakeClock()
  const lines: string[] = []
  const client = new WebClient('xoxb-1', { fetch: () => new Promise(() => undefined) })
  const { upload } = await picturesWith({ clock, lines })(callerOf(client), link)
  const picture = typeof upload === 'function' ? upload() : undefined
  await clock.endSleep(4_000)
  expect(await picture).toBeUndefined()
  expect(lines.join()).toContain('the upload took longer than 4000 ms')
})

const FILE = '[ERROR] invalid slack file [json-pointer:/view/blocks/1/slack_file]'
const DOWNLOAD = '[ERROR] downloading image failed [json-pointer:/view/blocks/1/image_url]'
const OTHER = '[ERROR] missing required field: title [json-pointer:/view]'

test.each([
  [true, 'invalid_blocks', []],
  [true, 'invalid_blocks_format', []],
  [true, 'invalid_arguments', [FILE]],
  [true, 'invalid_arguments', [DOWNLOAD]],
  [false, 'invalid_arguments', [OTHER]],
  [false, 'invalid_arguments', []],
  [false, 'not_found', []],
])('says %s to whether Slack refused a picture with %s and %j', (expected, error, messages) => {
  const data = { ok: false, error, response_metadata: { messages } }
  expect(isPictureRefused(Object.assign(new Error(error), { data }))).toBe(expected)
})
