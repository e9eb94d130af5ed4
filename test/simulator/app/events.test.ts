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

test('tells an app that can read users when an account has changed', async () => {
  slack.workspace.changeAccount(slack.ana.id, { admin: false })
  await expect.poll(() => app.requests.length).toBe(1)
  const { event } = app.last() as { event: object }
  expect(event).toMatchObject({
    type: 'user_change',
    user: { id: slack.ana.id, deleted: false, is_admin: false, is_owner: false },
  })
  slack.workspace.changeAccount(slack.ana.id, { deactivated: true })
  await expect.poll(() => app.requests.length).toBe(2)
  const { user } = (app.last() as { event: { user: object } }).event
  expect(user).toMatchObject({ id: slack.ana.id, deleted: true })
  expect(user).not.toHaveProperty('is_admin')
})

test('sends no event that the manifest does not subscribe to', async () => {
  const manifest = projectManifest() as { settings: object }
  const settings = {
    ...manifest.settings,
    event_subscriptions: { bot_events: ['function_executed'] },
  }
  await restart({ manifest: { ...manifest, settings } })
  await slack.ana.opensHome()
  await slack.ana.types('/shorten', { in: 'general' })
  expect(app.requests.map(({ body }) => body.command)).toEqual(['/shorten'])
})
