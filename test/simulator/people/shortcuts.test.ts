import { expect, test } from 'vitest'
import { slackForEach } from '../../support/slack-for-each.ts'

const { slack, app } = slackForEach()

test('a global shortcut comes with a trigger, but no response_url', async () => {
  await slack.ana.runsShortcut('shorten_link')
  expect(app.last()).toEqual({
    type: 'shortcut',
    team: { id: 'T0PLAYGROUND', domain: 'playground' },
    user: { id: slack.ana.id, username: 'ana', name: 'ana', team_id: 'T0PLAYGROUND' },
    api_app_id: 'A0PLAYGROUND',
    token: expect.any(String) as unknown,
    enterprise: null,
    is_enterprise_install: false,
    action_ts: expect.any(String) as unknown,
    callback_id: 'shorten_link',
    trigger_id: expect.any(String) as unknown,
  })
})

test('a message shortcut comes with the message as Slack stores it', async () => {
  const message = slack.ben.sees('marketing')[1]
  if (!message) throw new Error('the seeds have a message with a link')
  await slack.ben.runsMessageShortcut('shorten_message_links', 'marketing', message)
  expect(app.last()).toMatchObject({
    type: 'message_action',
    callback_id: 'shorten_message_links',
    channel: { id: 'C0MARKETING0', name: 'marketing' },
    message_ts: message.ts,
    message: {
      type: 'message',
      user: slack.ben.id,
      ts: message.ts,
      text: expect.stringMatching(/^Here it is: <https:\/\/example\.com\/\S+&amp;\S+>$/) as unknown,
    },
    response_url: expect.stringContaining('/hooks/') as unknown,
    trigger_id: expect.any(String) as unknown,
  })
})

test('rejects a shortcut that is not in the manifest', async () => {
  await expect(slack.ana.runsShortcut('shorten_message_links')).rejects.toThrow('no shortcut')
  expect(app.requests).toEqual([])
})
