import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { beforeEach, expect } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { localServiceUrlWarning } from '../../src/doctor/address-checks.ts'
import { start } from '../../src/start.ts'
import { testConfig } from '../support/app.ts'
import { withDirectory } from '../support/fixtures.ts'
import { BOT_TOKEN, SIGNING_SECRET, startSimulatedWorkspace } from '../support/workspace.ts'

const { test, directory } = withDirectory()
let inSlack: Config
beforeEach(async () => {
  inSlack = {
    ...(await testConfig(directory.path)),
    slack: { mode: 'socket', appToken: 'xapp-1', botToken: BOT_TOKEN, apiUrl: 'http://127.0.0.1/' },
  }
})

test.each([
  'http://localhost:3001',
  'http://127.0.0.1',
  'http://[::1]:3001',
  'http://go.localhost',
])('warns that short URLs at %s open only on this machine', (servicePublicUrl) => {
  expect(localServiceUrlWarning({ ...inSlack, servicePublicUrl, servicePort: 3001 })).toBe(
    `Short links open only on this machine, and Slack can’t show their cards and preview images, because SERVICE_PUBLIC_URL is ${servicePublicUrl}. Set it to a public https address that leads to port 3001. npm run setup helps with that.`,
  )
})

test.each(['https://go.example.com', 'http://203.0.113.7:3001', 'http://[2001:db8::1]'])(
  'does not warn about %s',
  (servicePublicUrl) => {
    expect(localServiceUrlWarning({ ...inSlack, servicePublicUrl })).toBeUndefined()
  },
)

test('does not warn in the playground, or if another service makes the links', () => {
  expect(localServiceUrlWarning({ ...inSlack, slack: { mode: 'playground' } })).toBeUndefined()
  const linkService = { kind: 'external', baseUrl: 'https://links.example.com' } as const
  expect(localServiceUrlWarning({ ...inSlack, linkService })).toBeUndefined()
})

test('the app warns about it when it starts', async () => {
  const slack = await startSimulatedWorkspace()
  const log = new PassThrough()
  const firstLine = once(log, 'data')
  const { apiUrl } = slack
  const running = await start(
    {
      ...inSlack,
      slack: { mode: 'http', signingSecret: SIGNING_SECRET, botToken: BOT_TOKEN, apiUrl },
    },
    pino({ level: 'warn' }, log),
  )
  try {
    expect(String((await firstLine)[0])).toContain('Short links open only on this machine')
  } finally {
    await running.stop()
    await slack.close()
  }
})
