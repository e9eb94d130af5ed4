import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createQrLinks,
  createQrPictures,
  isPictureRefused,
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

const callerOf = (client: WebClient, mayUploadFiles = true) => ({ client, mayUploadFiles })

const content = { text: 'https://go.example.com/x', color: '#000000' }
const options = {
  qrLinks: createQrLinks(createKeyring([Buffer.alloc(32, 1)])),
  clock: systemClock,
  logger: pino({ level: 'silent' }),
}

test('makes no picture if the short URL is too long for an image’s address', async () => {
  const pictures = createQrPictures({ ...options, publicUrl: 'https://app.example.com' })
  const text = `https://go.example.com/${'x'.repeat(2300)}`
  expect(await pictures.picture(callerOf(new WebClient()), { ...content, text })).toBeUndefined()
})

test.each([undefined, 'http://app.example.com'])(
  'uploads the picture to Slack if the public address is %s',
  async (publicUrl) => {
    const pictures = createQrPictures({ ...options, publicUrl })
    const picture = await pictures.picture(callerOf(webClient(slack.apiUrl)), content)
    const { id } = (picture as { slack_file: { id: string } }).slack_file
    expect(slack.workspace.file(id)?.mimetype).toBe('image/png')
  },
)

test('returns no picture if the upload takes longer than 4 seconds', async () => {
  const clock = createFakeClock()
  const lines: string[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(line) })
  const pictures = createQrPictures({ ...options, publicUrl: undefined, clock, logger })
  const client = new WebClient('xoxb-1', { fetch: () => new Promise(() => undefined) })
  const picture = pictures.picture(callerOf(client), content)
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
  [false, 'invalid_arguments', ['[ERROR] missing required field: title [json-pointer:/view]']],
  [false, 'invalid_arguments', []],
  [false, 'not_found', []],
])('says %s to whether Slack refused a picture with %s and %j', (expected, error, messages) => {
  const data = { ok: false, error, response_metadata: { messages } }
  expect(isPictureRefused(Object.assign(new Error(error), { data }))).toBe(expected)
})
