import { WebClient } from '@slack/web-api'
import { expect, test } from 'vitest'
import { answerUnauthorized } from '../../../src/slack/install/index.ts'
import { NotInstalledError } from '../../../src/workspaces/installations.ts'
import { DatabaseUnavailableError } from '../../../src/workspaces/write-if-installed.ts'
import { fakePlatform } from '../../support/platform.ts'

test.each<[Error, string]>([
  [new NotInstalledError(), 'isn’t installed in this workspace'],
  [
    new DatabaseUnavailableError('the connection to it was lost'),
    'Backhalf can’t reach its database right now. Try again in a minute.',
  ],
  [new Error('token_expired'), 'Backhalf can’t access Slack right now. Try again in a minute.'],
])('tells the user why there is no token: %s', async (cause, explanation) => {
  const platform = fakePlatform()
  const body = { user_id: 'U1', response_url: 'https://hooks.slack.com/1' }
  const slack = { client: new WebClient(), publicUrl: undefined }
  const code = 'slack_bolt_authorization_error'
  const error = Object.assign(new Error('not authorized'), { code, original: cause })
  answerUnauthorized(platform, slack, error, body)
  await platform.tasks.drained()
  expect(platform.sent.map(({ message }) => message.text).join()).toContain(explanation)
})
