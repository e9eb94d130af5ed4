import { expect } from 'vitest'
import { LIST_PATH } from '../../../src/contract/endpoints.ts'
import { created, failure, success } from '../../support/fake-link-service.ts'
import { withAppElsewhere } from '../../support/fixtures.ts'
import { connectSlackbot } from '../../support/mcp.ts'

const { test, app, service } = withAppElsewhere({
  config: { slackMcp: true },
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

test('explains failures of the link service like the commands', async () => {
  service.answers(() => failure(503, 'UNAVAILABLE'))
  const { isError, text } = await call('find_links', {})
  expect([isError, text]).toEqual([
    true,
    expect.stringContaining('The link service failed (error 503).'),
  ])
})

test('the expiry of an existing link is in UTC', async () => {
  const expires_at = '2099-01-01T12:00:00'
  const shortlink = { ...LINK, destination_url: 'https://example.com', expires_at }
  service.answers(() => failure(409, 'DUPLICATE_DESTINATION_URL', { details: { shortlink } }))
  expect(await call('create_short_link', { destination: 'https://example.com' })).toMatchObject({
    data: { status: 'existing', link: { expires_at: '2099-01-01T12:00:00.000Z' } },
  })
})
