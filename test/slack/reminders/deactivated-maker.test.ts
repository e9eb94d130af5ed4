import { expect, test } from 'vitest'
import { createHmac } from 'node:crypto'
import { startApp } from '../../support/app.ts'
import { shareApp } from '../../support/shared-app.ts'
import { texts } from '../../support/texts.ts'
import { SIGNING_SECRET } from '../../support/workspace.ts'

const app = shareApp(startApp)

/** Slack's signed request for a click on *Keep it*, which only the maker sees. */
async function pressesKeepIt(userId: string, shortUrl: string): Promise<void> {
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
        value: JSON.stringify(['lnk_1', shortUrl]),
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

test('only admins may change the link of a person whose account was deactivated', async () => {
  const { ana, ben, gil, until, workspace } = app.slack
  await ben.types('/shorten https://example.com/page spring qr=off', { in: 'general' })
  await until(() => texts(ben.newest('general')).includes('/spring|'))
  const shortUrl = /http:\/\/[\w.:]+\/spring/.exec(texts(ben.newest('general')))?.[0] ?? ''

  await pressesKeepIt(gil.id, shortUrl)
  await until(() =>
    texts(gil.newest('general')).includes('Only the person who made this link and admins'),
  )
  workspace.parts.deactivated.add(ben.id)
  await pressesKeepIt(gil.id, shortUrl)
  await until(() => texts(gil.newest('general')).includes('the person who made it has left'))
  // An admin may, so the app asks the service, which has no link of this name.
  await pressesKeepIt(ana.id, shortUrl)
  await until(() => texts(ana.newest('general')).includes('This link doesn’t exist anymore.'))
})
