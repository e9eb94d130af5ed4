import { expect, test } from 'vitest'
import { slackForEach } from '../../support/slack-for-each.ts'

const { slack } = slackForEach({ connects: false })

test.each<Record<string, string>>([
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
])('rejects a web page that imitates the app, without a trace: %j', async (headers) => {
  const answer = await fetch(`${slack.apiUrl}Your%20computer%20is%20infected`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', ...headers },
    body: '{}',
  })
  expect(answer.status).toBe(403)
  expect(slack.refusals()).toEqual([])
})
