import { expect } from 'vitest'
import type { Config } from '../src/config/config.ts'
import { adminJson } from './support/admin.ts'
import { startApp, type TestApp } from './support/app.ts'
import { withDirectory } from './support/fixtures.ts'
import { call } from './support/service-calls.ts'
import { texts } from './support/texts.ts'
import { projectManifest } from './support/workspace.ts'

const { test, at } = withDirectory()

const manifest = projectManifest() as { features: object }
const unfurl_domains = ['old.example.com', 'new.example.com']

/** Starts the app with a link service at this address, on the same database each time. */
function startAt(servicePublicUrl: string, more: Partial<Config> = {}): Promise<TestApp> {
  return startApp({
    config: {
      databaseUrl: `file:${at('backhalf.db')}`,
      encryptionKeys: [Buffer.alloc(32, 1)],
      trustProxy: '127.0.0.1',
      servicePublicUrl,
      ...more,
    },
    slack: { manifest: { ...manifest, features: { ...manifest.features, unfurl_domains } } },
  })
}

/** Ana shortens a link. @returns the answer */
async function shorten({ slack: { ana } }: TestApp, backHalf: string): Promise<string> {
  const command = `/shorten https://example.com/${backHalf} ${backHalf} qr=off`
  return texts(await ana.asks(command, { for: `com/${backHalf}` }))
}

/** Ana posts a URL. @returns what the card below it shows */
async function cardOf({ slack: { ana, until } }: TestApp, url: string): Promise<string> {
  const { ts } = await ana.posts(`Look: ${url}`)
  const posted = () => ana.sees('general').find((message) => message.ts === ts)
  return JSON.stringify(await until(() => posted()?.attachments))
}

/** Where a short URL leads, by the service that listens on this machine. */
async function redirectOf({ running }: TestApp, host: string, backHalf: string) {
  const headers = { 'x-forwarded-host': host }
  return (await call(`${running.serviceUrl}/${backHalf}`, { headers })).headers.get('location')
}

test('after a change of hostname and back, all links keep their redirects and their cards', async () => {
  const before = await startAt('https://old.example.com')
  await shorten(before, 'spring')
  await before.stop()

  const app = await startAt('https://new.example.com', { unfurlDomains: ['new.example.com'] })
  // The workspace was given its domain record when the old hostname was the current one.
  expect(await shorten(app, 'summer')).toContain('https://new.example.com/summer')
  for (const host of ['old.example.com', 'new.example.com']) {
    expect(await redirectOf(app, host, 'spring')).toBe('https://example.com/spring')
    expect(await redirectOf(app, host, 'summer')).toBe('https://example.com/summer')
    expect(await cardOf(app, `https://${host}/spring`)).toContain('example.com/spring')
  }
  expect(await redirectOf(app, 'other.example.com', 'spring')).toBeNull()

  const admin = { databaseUrl: app.databaseUrl, baseUrl: 'https://new.example.com' }
  // The earlier hostname can’t become a domain record.
  await expect(adminJson(admin, 'domains', 'add', 'old.example.com')).rejects.toThrow(
    'old.example.com is, or was, the service’s own address',
  )
  await app.stop()
  expect(app.slack.takeRefusals()).toEqual([])

  const again = await startAt('https://old.example.com')
  for (const host of ['old.example.com', 'new.example.com']) {
    expect(await redirectOf(again, host, 'spring')).toBe('https://example.com/spring')
  }
  await again.stop()
})
