import { expect, test } from 'vitest'
import { slackForEach } from '../../support/slack-for-each.ts'
import { expectError } from '../../support/web-client.ts'
import { BOT_TOKEN } from '../../support/workspace.ts'

const [GENERAL, MARKETING] = ['C0GENERAL000', 'C0MARKETING0'] as const
const PNG = Buffer.from('89504e470d0a1a0a00', 'hex')

const { slack, client, restart } = slackForEach({ connects: false })

async function uploadPng(): Promise<string> {
  const { files } = await client.filesUploadV2({ file: PNG, filename: 'qr.png', title: 'QR code' })
  return files[0]?.files?.[0]?.id ?? ''
}

function postImage(id: string): Promise<unknown> {
  const blocks = [{ type: 'image', slack_file: { id }, alt_text: 'an image' }]
  return client.chat.postMessage({ channel: GENERAL, text: 'an image', blocks })
}

test('completes an upload once', async () => {
  const id = await uploadPng()
  await expectError(client.files.completeUploadExternal({ files: [{ id }] }), 'file_not_found')
})

test('rejects an image block with an unknown file, or with a file that is not an image', async () => {
  await expectError(postImage('F0123456789'), 'invalid_blocks')
  const { id } = slack.workspace.upload(slack.ana.id, 'drawing.svg', Buffer.from('<svg/>'))
  await expectError(postImage(id), 'invalid_blocks')
})

test('rejects an image block until its file is processed', async () => {
  await restart({ fileRefusals: 1 })
  const id = await uploadPng()
  await expectError(postImage(id), 'invalid_blocks')
  await postImage(id)
  const details = ['[ERROR] invalid slack file [json-pointer:/blocks/0/slack_file]']
  expect(slack.takeRefusals()).toMatchObject([{ error: 'invalid_blocks', details }])
})

test('rejects an upload whose size differs from the announced one', async () => {
  const { upload_url = '', file_id = '' } = await client.files.getUploadURLExternal({
    filename: 'qr.png',
    length: PNG.length + 1,
  })
  const headers = { 'content-type': 'application/octet-stream' }
  const response = await fetch(upload_url, { method: 'POST', headers, body: PNG })
  expect(response.status).toBe(400)
  const completed = client.files.completeUploadExternal({ files: [{ id: file_id }] })
  await expectError(completed, 'file_not_found')
})

test('serves a file only with the bot token', async () => {
  const { id } = slack.workspace.upload(slack.ben.id, 'a card.png', PNG)
  const { file } = await client.files.info({ file: id })
  expect(file).toMatchObject({ id, name: 'a card.png', mimetype: 'image/png', size: PNG.length })

  const url = file?.url_private_download ?? ''
  expect(new URL(url).origin).toBe(new URL(slack.apiUrl).origin)
  const withToken = await fetch(url, { headers: { authorization: `Bearer ${BOT_TOKEN}` } })
  expect(Buffer.from(await withToken.arrayBuffer())).toEqual(PNG)
  const without = await fetch(url)
  expect(without.headers.get('content-type')).toMatch(/^text\/html/)
})

test('serves a login page instead of a file without files:read', async () => {
  await restart({ scopes: ['files:write'] })
  const id = await uploadPng()
  const url = slack.apiUrl.replace('/api/', `/files-pri/T0PLAYGROUND-${id}/download/qr.png`)
  const response = await fetch(url, { headers: { authorization: `Bearer ${BOT_TOKEN}` } })
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  await expect(client.files.info({ file: id })).rejects.toMatchObject({
    data: { error: 'missing_scope', needed: 'files:read' },
  })
})

test('shares an upload in a channel or a thread, but not by a person’s ID or where the app isn’t', async () => {
  const upload = { file: PNG, filename: 'qr.png' }
  await client.filesUploadV2({ ...upload, channel_id: GENERAL })
  const [shared] = slack.ana.sees('general').slice(-1)
  expect(shared).toMatchObject({ author: { kind: 'app' }, files: [expect.stringMatching(/^F/)] })
  const { ts = '' } = shared ?? {}
  await client.filesUploadV2({ ...upload, channel_id: GENERAL, thread_ts: ts })
  expect(slack.ana.sees('general').at(-1)).toMatchObject({ threadTs: ts })
  const shareIn = (channel_id: string) => client.filesUploadV2({ ...upload, channel_id })
  await expectError(shareIn(slack.ana.id), 'channel_not_found')
  await expectError(shareIn(MARKETING), 'not_in_channel')
})
