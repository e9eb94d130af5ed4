import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createQrLinks } from '../../../src/slack/qr-links.ts'
import { createQrPictures } from '../../../src/slack/qr-pictures.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'
import { webClient } from '../../support/web-client.ts'
import { startSimulatedWorkspace, type TestWorkspace } from '../../support/workspace.ts'

let slack: TestWorkspace
beforeAll(async () => {
  slack = await startSimulatedWorkspace()
})
afterAll(() => slack.close())

const content = { text: 'https://go.example.com/x', color: '#000000' }
const options = {
  qrLinks: createQrLinks(createKeyring([Buffer.alloc(32, 1)])),
  logger: pino({ level: 'silent' }),
}

test('with a public https address, a picture is one of ours, and nothing is uploaded', async () => {
  const pictures = createQrPictures({ ...options, publicUrl: 'https://app.example.com/' })
  const picture = await pictures.picture(new WebClient(), content)
  expect(picture).toEqual({
    image_url: expect.stringMatching(/^https:\/\/app\.example\.com\/qr\/[\w-]+\.png$/) as string,
  })
})

test('a short URL too long for an image’s address has no picture', async () => {
  const pictures = createQrPictures({ ...options, publicUrl: 'https://app.example.com' })
  const text = `https://go.example.com/${'x'.repeat(2300)}`
  expect(await pictures.picture(new WebClient(), { ...content, text })).toBeUndefined()
})

test.each([undefined, 'http://app.example.com'])(
  'with %s it is uploaded to Slack',
  async (publicUrl) => {
    const pictures = createQrPictures({ ...options, publicUrl })
    const picture = await pictures.picture(webClient(slack.apiUrl), content)
    const { id } = (picture as { slack_file: { id: string } }).slack_file
    expect(slack.workspace.file(id)?.mimetype).toBe('image/png')
  },
)

test('an upload that fails, or takes too long, costs the picture only', async () => {
  const pictures = createQrPictures({ ...options, publicUrl: undefined, uploadWithinMs: 50 })
  slack.failNext('files.getUploadURLExternal', { error: 'internal_error' })
  expect(await pictures.picture(webClient(slack.apiUrl), content)).toBeUndefined()
  slack.failNext('files.getUploadURLExternal', { delayMs: 300 })
  expect(await pictures.picture(webClient(slack.apiUrl), content)).toBeUndefined()
})
