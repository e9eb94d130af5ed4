import { expect } from 'vitest'
import { LIST_PATH } from '../../../src/contract/endpoints.ts'
import { systemClock, type Clock } from '../../../src/timing/clock.ts'
import { created, failure, success } from '../../support/fake-link-service.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { connectSlackbot } from '../../support/mcp.ts'

let time = Date.now()
const clock: Clock = { ...systemClock, now: () => time }
const { test, app, service } = withAppElsewhere({
  config: { slackMcp: true },
  clock,
  answers: ({ url }) => (url.startsWith(LIST_PATH) ? links() : created()),
})

const LINK = { name: 'lnk_1', shortlink_url: 'https://go.example.com/x7Kp2Qa' }
const links = () =>
  success({
    shortlinks: [{ ...LINK, destination_url: 'https://example.com', title: 'a\nb', clicks: 7 }],
    pagination: { page: 1, per_page: 10, total_items: 1, total_pages: 1 },
  })

async function call(name: string, input: Record<string, unknown>) {
  const { calls } = await connectSlackbot(app.running.appUrl)
  return calls(name, input)
}

test('a service of the specification alone has no reports and no days of clicks', async () => {
  expect(await call('campaign_report', {})).toEqual({
    isError: true,
    data: undefined,
    text: 'This workspace’s link service has no reports. To see the clicks on a link, type /shorten clicks and the link.',
  })
  const { text, data } = await call('link_clicks', { link: LINK.shortlink_url })
  expect(text).toMatch('7 clicks in total. This workspace’s link service doesn’t report when')
  expect(data).toMatchObject({ link: { title: 'a b', clicks: 7 }, clicks: { total: 7 } })
})

test('the same request within five minutes is the same create', async () => {
  let signedAt = Math.floor(Date.now() / 1_000) - 10
  async function keyOf(destination: string): Promise<string> {
    service.received.length = 0
    // Each client counts its requests from the start, so they have the same ID.
    const { calls } = await connectSlackbot(app.running.appUrl, { time: signedAt++ })
    expect((await calls('create_short_link', { destination })).isError).toBe(false)
    const { headers } = service.received.find(({ method }) => method === 'POST') ?? {}
    return String(headers?.['idempotency-key'])
  }
  time = Math.ceil(time / 300_000) * 300_000
  const first = await keyOf('https://example.com/a')
  time += 299_000
  expect(await keyOf('https://example.com/a')).toBe(first)
  expect(await keyOf('https://example.com/b')).not.toBe(first)
  time += 2_000
  expect(await keyOf('https://example.com/a')).not.toBe(first)
})

test('explains failures of the link service like the commands', async () => {
  service.answers(() => failure(503, 'UNAVAILABLE'))
  const { isError, text } = await call('find_links', {})
  expect([isError, text]).toEqual([
    true,
    expect.stringContaining('The link service had a problem of its own (error 503).'),
  ])
})
