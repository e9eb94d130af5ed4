import { request } from 'node:http'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Config } from '../src/config/config.ts'
import { start, type Running } from '../src/start.ts'
import { adminJson } from './support/admin.ts'
import { testConfig } from './support/app.ts'
import { makeTempDir } from './support/temp-dir.ts'
import { texts } from './support/texts.ts'
import {
  BOT_TOKEN,
  projectManifest,
  SIGNING_SECRET,
  startSimulatedWorkspace,
  type TestWorkspace,
} from './support/workspace.ts'

let directory: Awaited<ReturnType<typeof makeTempDir>>
let slack: TestWorkspace
let config: Config
let running: Running

beforeEach(async () => {
  directory = await makeTempDir()
  const manifest = projectManifest() as { features: object }
  const unfurl_domains = ['old.example.com', 'new.example.com']
  slack = await startSimulatedWorkspace({
    manifest: { ...manifest, features: { ...manifest.features, unfurl_domains } },
  })
  const { apiUrl } = slack
  config = {
    ...(await testConfig(directory.path)),
    slack: { mode: 'http', signingSecret: SIGNING_SECRET, botToken: BOT_TOKEN, apiUrl },
  }
})
afterEach(async () => {
  await running.stop()
  expect(slack.takeRefusals()).toEqual([])
  await slack.close()
  await directory.remove()
})

async function startAt(servicePublicUrl: string, more: Partial<Config> = {}): Promise<void> {
  const silent = pino({ level: 'silent' })
  running = await start({ ...config, servicePublicUrl, ...more }, silent)
  slack.connectApp(`${running.appUrl}/slack/events`)
}

/** Ana shortens a link. @returns once she sees it */
async function shorten(backHalf: string): Promise<void> {
  const { ana, until } = slack
  await ana.types(`/shorten https://example.com/${backHalf} ${backHalf} qr=off`, { in: 'general' })
  await until(() => ana.sees('general').find((seen) => texts(seen).includes(`com/${backHalf}`)))
}

/** Ana posts a URL. @returns what the card below it shows */
async function cardOf(url: string): Promise<string> {
  const { ana, until } = slack
  await ana.types(`Look: ${url}`, { in: 'general' })
  return until(() => {
    const posted = ana.sees('general').find(({ text }) => /^Look/.test(text) && text.includes(url))
    const card = JSON.stringify(posted?.attachments ?? [])
    return /leads to/i.test(card) && card
  })
}

/** Where a short URL leads, by the service that listens on this machine. */
async function redirectOf(host: string, backHalf: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const url = `${running.serviceUrl}/${backHalf}`
    request(url, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.headers.location)
    })
      .on('error', reject)
      .end()
  })
}

test('after a change of hostname and back, all links keep their redirects and their cards', async () => {
  await startAt('https://old.example.com')
  await shorten('spring')
  await running.stop()

  await startAt('https://new.example.com', { unfurlDomains: ['new.example.com'] })
  await shorten('summer')
  for (const host of ['old.example.com', 'new.example.com']) {
    expect(await redirectOf(host, 'spring')).toBe('https://example.com/spring')
    expect(await redirectOf(host, 'summer')).toBe('https://example.com/summer')
    expect(await cardOf(`https://${host}/spring`)).toContain('example.com/spring')
  }
  expect(await redirectOf('other.example.com', 'spring')).toBeUndefined()
  // The workspace was given its domain record when the old hostname was the current one.
  const links = slack.ana
    .sees('general')
    .map((message) => texts(message))
    .join()
  expect(links).toContain('https://new.example.com/summer')

  const admin = { databaseUrl: config.databaseUrl, baseUrl: 'https://new.example.com' }
  // The earlier hostname can’t become a domain record.
  await expect(adminJson(admin, 'domains', 'add', 'old.example.com')).rejects.toThrow(
    'old.example.com is, or was, the service’s own address',
  )

  await running.stop()
  await startAt('https://old.example.com')
  for (const host of ['old.example.com', 'new.example.com']) {
    expect(await redirectOf(host, 'spring')).toBe('https://example.com/spring')
  }
})
