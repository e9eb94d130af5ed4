import { expect } from 'vitest'
import { createHmac } from 'node:crypto'
import { withApp } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'
import { SIGNING_SECRET } from '../../support/workspace.ts'

const { test, app, slack, ana, ben, gil } = withApp()

/** Slack's signed request for a click on *Keep it*, which only the maker sees. */
async function pressesKeepIt(userId: string, name: string, shortUrl: string): Promise<void> {
  const payload = {
    type: 'block_actions',
    team: { id: 'T0PLAYGROUND', domain: 'playground' },
    user: { id: userId },
    channel: { id: 'C0GENERAL000' },
    container: { type: 'message', message_ts: '1.1', channel_id: 'C0GENERAL000' },
    trigger_id: `${userId}.${shortUrl}.${Math.random()}`,
    actions: [
      {
        type: 'button',
        action_id: 'keep_link',
        block_id: 'b',
        action_ts: '1.1',
        value: JSON.stringify([name, shortUrl]),
      },
    ],
  }
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
  const time = String(Math.floor(Date.now() / 1000))
  const hash = createHmac('sha256', SIGNING_SECRET).update(`v0:${time}:${body}`).digest('hex')
  const answer = await fetch(`${app.running.appUrl}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': time,
      'x-slack-signature': `v0=${hash}`,
    },
    body,
  })
  expect(answer.status).toBe(200)
}

test('only its maker and admins may change a link, also after its maker has left', async () => {
  const { workspace } = slack
  await ben.asks('/shorten https://example.com/page spring qr=off', { for: '/spring|' })
  const made = texts(ben.newest('general'))
  const shortUrl = /http:\/\/[\w.:]+\/spring/.exec(made)?.[0] ?? ''
  const name = /"edit:([^"]+)"/.exec(made)?.[1] ?? ''

  await pressesKeepIt(gil.id, name, shortUrl)
  await gil.gets('Only the person who made this link and admins')
  workspace.parts.deactivated.add(ben.id)
  await pressesKeepIt(ana.id, name, shortUrl)
  await ana.gets('This short link doesn’t expire.')
  await pressesKeepIt(gil.id, 'deleted', shortUrl)
  await gil.gets('The link service doesn’t have this link anymore.')
})
