import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import { localServiceUrlWarning } from '../../src/doctor/address-checks.ts'
import { startApp } from '../support/app.ts'
import { recordingLogger } from '../support/recording-logger.ts'

const SLACK = { SLACK_BOT_TOKEN: 'xoxb-1-2-3', SLACK_SIGNING_SECRET: 'f'.repeat(32) }

const warning = (env: Record<string, string>) => localServiceUrlWarning(parseConfig(env))

test.each([
  'http://localhost:3001',
  'http://127.0.0.1',
  'http://[::1]:3001',
  'http://go.localhost',
])('warns that short URLs at %s open only on this machine', (url) => {
  expect(warning({ ...SLACK, SERVICE_PUBLIC_URL: url })).toBe(
    `Short links open only on this machine, and Slack can’t show their cards and preview images, because SERVICE_PUBLIC_URL is ${url}. Set it to a public https address that leads to port 3001. npm run setup helps with that.`,
  )
})

test.each([
  { ...SLACK, SERVICE_PUBLIC_URL: 'https://go.example.com' },
  { ...SLACK, SERVICE_PUBLIC_URL: 'http://203.0.113.7:3001' },
  { ...SLACK, SERVICE_PUBLIC_URL: 'http://[2001:db8::1]' },
  { ...SLACK, SHORTLINK_BASE_URL: 'https://links.example.com' },
  {}, // The playground.
])('does not warn with %j', (env) => {
  expect(warning(env)).toBeUndefined()
})

test('the app warns about it when it starts', async () => {
  const { logger, lines } = recordingLogger()
  await (await startApp({ logger })).stop()
  expect(lines.join()).toContain('Short links open only on this machine')
})
