import { expect, test } from 'vitest'
import { slackForEach } from '../../support/slack-for-each.ts'
import { projectManifest } from '../../support/workspace.ts'

const { slack, app, restart } = slackForEach()

test('sends the app one event when a person opens the Home tab', async () => {
  await slack.ana.opensHome()
  await expect.poll(() => app.requests.length).toBe(1)
  expect(app.last()).toEqual({
    token: expect.any(String) as unknown,
    team_id: 'T0PLAYGROUND',
    api_app_id: 'A0PLAYGROUND',
    event: {
      type: 'app_home_opened',
      user: slack.ana.id,
      channel: 'D0ANAMARTINS',
      tab: 'home',
      event_ts: expect.any(String) as unknown,
    },
    type: 'event_callback',
    event_id: expect.stringMatching(/^Ev[A-Z0-9]{10}$/) as unknown,
    event_time: expect.any(Number) as unknown,
    authorizations: [
      {
        enterprise_id: null,
        team_id: 'T0PLAYGROUND',
        user_id: 'U0APPBOTUSER',
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
  })
})

test('sends no event that the manifest does not subscribe to', async () => {
  const manifest = projectManifest() as { settings: object }
  const settings = { ...manifest.settings, event_subscriptions: { bot_events: [] } }
  await restart({ manifest: { ...manifest, functions: {}, settings } })
  await slack.ana.opensHome()
  await slack.ana.types('/shorten', { in: 'general' })
  expect(app.requests.map(({ body }) => body.command)).toEqual(['/shorten'])
})
