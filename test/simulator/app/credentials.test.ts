import { expect, test } from 'vitest'
import { slackForEach } from '../../support/slack-for-each.ts'

let now = Date.now()
const { slack, app } = slackForEach({ now: () => now })

async function post(url: unknown, body: object): Promise<{ status: number }> {
  const response = await fetch(String(url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, ...((await response.json()) as object) }
}

/** The response_url of a command in a channel that the app is not a member of. */
async function commandUrl(): Promise<unknown> {
  await slack.ana.types('/shorten', { in: 'marketing' })
  return app.last().response_url
}

const texts = (): string[] =>
  slack.ana
    .sees('marketing')
    .filter(({ author }) => author.kind === 'app')
    .map(({ text }) => text)

test('accepts five responses, but not a sixth', async () => {
  const url = await commandUrl()
  for (const text of ['1', '2', '3', '4', '5']) {
    expect(await post(url, { text })).toEqual({ status: 200, ok: true })
  }
  expect(await post(url, { text: '6' })).toEqual({ status: 404, ok: false, error: 'used_url' })
  expect(texts()).toEqual(['1', '2', '3', '4', '5'])
})

test('expires after half an hour', async () => {
  const url = await commandUrl()
  now += 30 * 60 * 1000
  expect((await post(url, { text: 'in time' })).status).toBe(200)
  now += 1
  const expired = { status: 404, ok: false, error: 'expired_url' }
  expect(await post(url, { text: 'late' })).toEqual(expired)
})

test('replaces no message if it belongs to a command', async () => {
  const url = await commandUrl()
  await post(url, { text: 'one' })
  await post(url, { text: 'two', replace_original: true })
  expect(texts()).toEqual(['one', 'two'])
})

test('does not count a response that Slack rejects', async () => {
  const url = await commandUrl()
  const rejected = { status: 400, ok: false, error: 'invalid_blocks' }
  for (let index = 0; index < 6; index += 1) {
    expect(await post(url, { text: 'x', blocks: [{ type: 'marquee' }] })).toEqual(rejected)
  }
  expect(await post(url, {})).toEqual({ status: 400, ok: false, error: 'no_text' })
  expect((await post(url, { text: 'x' })).status).toBe(200)
  expect(slack.takeRefusals()[0]).toEqual({
    id: 1,
    where: 'response_url',
    error: 'invalid_blocks',
    details: ['[ERROR] unsupported type [json-pointer:/blocks/0/type]'],
  })
})

test('rejects a URL that was never issued', async () => {
  const url = String(await commandUrl())
  const other = url.replace(/[^/]+$/, 'A'.repeat(24))
  expect(await post(other, { text: 'x' })).toMatchObject({ status: 404 })
  expect(texts()).toEqual([])
})
