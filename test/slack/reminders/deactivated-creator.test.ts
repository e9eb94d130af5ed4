import { expect } from 'vitest'
import { sendInteraction } from '../../../src/simulator/people/interactions.ts'
import { withApp } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'

const { test, slack, ana, ben, gil } = withApp()

/** Presses *Keep it*, which only the creator sees. */
async function pressesKeepIt(userId: string, name: string, shortUrl: string): Promise<void> {
  const { parts } = slack.workspace
  const channel = { id: 'C0GENERAL000' }
  const value = JSON.stringify([name, shortUrl])
  const ack = await sendInteraction(
    { ...parts, viewerId: userId },
    {
      type: 'block_actions',
      channel,
      container: { type: 'message', message_ts: '1.1', channel_id: channel.id },
      trigger_id: parts.triggers.issue({ viewerId: userId, conversationId: channel.id }),
      actions: [{ type: 'button', action_id: 'keep_link', block_id: 'b', action_ts: '1.1', value }],
    },
  )
  expect(ack.kind).toBe('responded')
}

test('only its creator and admins can change a link, also after its creator has left', async () => {
  const { workspace } = slack
  await ben.asks('/shorten https://example.com/page spring qr=off', { for: '/spring|' })
  const made = texts(ben.newest('general'))
  const shortUrl = /http:\/\/[\w.:]+\/spring/.exec(made)?.[0] ?? ''
  const name = /"edit:([^"]+)"/.exec(made)?.[1] ?? ''

  await pressesKeepIt(gil.id, name, shortUrl)
  await gil.gets('Only the person who created this link and admins')
  workspace.changeAccount(ben.id, { deactivated: true })
  await pressesKeepIt(ana.id, name, shortUrl)
  await ana.gets('This short link no longer expires.')
  await pressesKeepIt(gil.id, 'deleted', shortUrl)
  await gil.gets('The link service doesn’t have this link anymore.')
})
