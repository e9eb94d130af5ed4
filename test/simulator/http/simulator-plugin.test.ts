import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOT_TOKEN, startSimulatedWorkspace, type TestWorkspace } from '../../support/workspace.ts'

let slack: TestWorkspace
beforeAll(async () => {
  slack = await startSimulatedWorkspace()
})
afterAll(() => slack.close())

test.each<Record<string, string>>([
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
])('a web page that poses as the app is refused, and leaves no trace: %j', async (headers) => {
  const answer = await fetch(`${slack.apiUrl}Your%20computer%20is%20infected`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', ...headers },
    body: '{}',
  })
  expect(answer.status).toBe(403)
  expect(slack.refusals()).toEqual([])
})

test('the app itself is let in', async () => {
  const answer = await fetch(`${slack.apiUrl}auth.test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${BOT_TOKEN}` },
  })
  expect(await answer.json()).toMatchObject({ ok: true })
})

test('a library that is not one of the page’s is not found', async () => {
  for (const name of ['constructor', '__proto__', 'nothing.js']) {
    expect((await fetch(`${slack.pageUrl}assets/vendor/${name}`)).status).toBe(404)
  }
})
