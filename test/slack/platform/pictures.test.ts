import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createQrLinks } from '../../../src/slack/platform/picture-links.ts'
import {
  createQrPictures,
  isPictureRefused,
  type PictureAccess,
} from '../../../src/slack/platform/pictures.ts'
import { systemClock } from '../../../src/timing/clock.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { createFakeClock } from '../../support/platform.ts'
import { webClient } from '../../support/web-client.ts'
import { startSimulatedWorkspace, type TestWorkspace } from '../../support/workspace.ts'

let slack: TestWorkspace
beforeAll(async () => {
  slack = await startSimulatedWorkspace()
})
afterAll(() => slack.close())

const callerOf = (client = new WebClient(), id = 'T1', mayUploadFiles = true) => ({
  client,
  mayUploadFiles,
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
  return createQrPictures({
    qrLinks: createQrLinks(createKeyring([Buffer.alloc(32, 1)])),
    offers: async () => ({ qrPicture }),
    publicUrl: undefined,
    reachesLoopback: false,
    clock,
    logger: pino({}, { write: (line: string) => void lines.push(line) }),
    ...access,
  })
}

const PUBLIC = `${SHORT_URL}/qr.png?color=1f4f46`
const OWN = /^https:\/\/app\.example\.com\/qr\/[\w-]+\.png$/

test.each<[shortUrl: string, address: string | undefined]>([
  [SHORT_URL, PUBLIC],
  ['https://go.example.com/s/x', `https://go.example.com/s/x/qr.png?color=1f4f46`],
  ['https://bücher.example/x', 'https://xn--bcher-kva.example/x/qr.png?color=1f4f46'],
  ['http://go.example.com/x', undefined],
  ['https://go.internal/x', undefined],
  ['https://localhost/x', undefined],
  ['https://10.0.0.1/x', undefined],
])('the public picture of %s is at %s', async (shortlink_url, address) => {
  const { addresses } = await picturesWith().source(callerOf(), { ...link, shortlink_url })
  expect(addresses).toEqual(address === undefined ? [] : [address])
})

test('takes no public picture if the service does not offer it', async () => {
  const { addresses } = await picturesWith({ qrPicture: false }).source(callerOf(), link)
  expect(addresses).toEqual([])
})

test('prefers the public picture to the app’s own, and has none for a link without a QR code', async () => {
  const pictures = picturesWith({ publicUrl: 'https://app.example.com' })
  const both = await pictures.source(callerOf(), link)
  expect(both.addresses).toEqual([PUBLIC, expect.stringMatching(OWN)])
  const { addresses } = await pictures.source(callerOf(), { ...link, hasPublicQr: false })
  expect(addresses).toEqual([expect.stringMatching(OWN)])
})

test.each([undefined, 'http://app.example.com', 'https://app.internal', 'https://localhost:3000'])(
  'has no picture of its own if the public address is %s',
  async (publicUrl) => {
    const { addresses } = await picturesWith({ publicUrl }).source(callerOf(), link)
    expect(addresses).toEqual([PUBLIC])
  },
)

test('leaves out an address that is too long for an image', async () => {
  const pictures = picturesWith({ publicUrl: 'https://app.example.com' })
  const shortlink_url = `${SHORT_URL}${'x'.repeat(2_300)}`
  const { addresses } = await pictures.source(callerOf(), { ...link, shortlink_url })
  expect(addresses).toHaveLength(1)
})

test('in the playground, Slack loads pictures over http from this machine', async () => {
  const pictures = picturesWith({
    publicUrl: 'http://127.0.0.1:3000',
    reachesLoopback: true,
  })
  const shortlink_url = 'http://localhost:3001/x'
  const { addresses } = await pictures.source(callerOf(), { ...link, shortlink_url })
  expect(addresses).toEqual([
    'http://localhost:3001/x/qr.png?color=1f4f46',
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/qr\//),
  ])
})

test('after Slack could not load a picture, leaves its origin out for ten minutes in that workspace', async () => {
  const clock = createFakeClock()
  const pictures = picturesWith({ clock })
  const addressesIn = async (id: string) =>
    (await pictures.source(callerOf(new WebClient(), id), link)).addresses
  const { refused } = await pictures.source(callerOf(), link)
  refused?.([PUBLIC])
  expect(await addressesIn('T1')).toEqual([])
  expect(await addressesIn('T2')).toEqual([PUBLIC])
  clock.advance(10 * 60_000)
  expect(await addressesIn('T1')).toEqual([PUBLIC])
})

test('uploads a picture to Slack', async () => {
  const { otherwise } = await picturesWith().source(callerOf(webClient(slack.apiUrl)), link)
  const picture = typeof otherwise === 'function' ? await otherwise() : undefined
  const { id } = (picture as { slack_file: { id: string } }).slack_file
  expect(slack.workspace.file(id)?.mimetype).toBe('image/png')
})

test('uploads nothing without permission', async () => {
  const { otherwise } = await picturesWith().source(callerOf(new WebClient(), 'T1', false), link)
  expect(otherwise).toBe('not_allowed')
})

test('returns no picture if the upload takes longer than 4 seconds', async () => {
  const clock = createFakeClock()
  const lines: string[] = []
  const client = new WebClient('xoxb-1', { fetch: () => new Promise(() => undefined) })
  const { otherwise } = await picturesWith({ clock, lines }).source(callerOf(client), link)
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
