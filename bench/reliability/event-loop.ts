import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIST_PATH } from '../../src/contract/endpoints.ts'
import { signedIn } from '../../test/support/dashboard.ts'
import type { Announcement } from '../target.ts'
import type { Report } from './report.ts'

/** The longest delay that we promise, in milliseconds. */
const ALLOWED_MS = 50

/** How many requests of a kind are under way at the same time. */
const AT_ONCE = 4

const CRAWLER = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }

interface MeasuredService extends Announcement {
  databaseUrl: string
}

/** The longest delay of the service's event loop for each kind of request, and for all of them at once. */
export async function eventLoop(links: number, seconds: number): Promise<Report> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-event-loop-'))
  const databaseUrl = `file:${join(directory, 'backhalf.db')}`
  const child = fork(join(import.meta.dirname, 'measured-service.ts'), [databaseUrl, String(links)])
  const [service] = (await once(child, 'message')) as [MeasuredService]
  const browser = await signedIn(service)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const page = (): number => 1 + Math.floor(Math.random() * (links / 100))
  const link = (): number => 1 + Math.floor(Math.random() * links)
  const get = async (path: string, headers: Record<string, string> = {}): Promise<void> => {
    const response = await fetch(service.baseUrl + path, { redirect: 'manual', headers })
    await response.arrayBuffer()
    if (response.status >= 400) throw new Error(`${path} was answered with ${response.status}`)
  }
  const key = { 'x-api-key': service.apiKey }
  const kinds: Record<string, () => Promise<void>> = {
    // If even this is too long, other programs delay the service.
    'no requests': () => sleep(10),
    'searches in the dashboard': () => get(`/dashboard?q=page+${link()}`, { cookie }),
    'searches for what all links contain': () => get('/dashboard?q=example', { cookie }),
    'sorting by clicks': () => get('/dashboard?sort=clicks', { cookie }),
    'pages of the list': () => get(`${LIST_PATH}?per_page=100&page=${page()}`, key),
    cards: () => get(`/p${link()}`, CRAWLER),
    'QR codes': () => get(`/p${link()}/qr.png?size=2000`),
    redirects: () => get(`/p${link()}`),
  }
  const report: Report = [{ name: 'links', value: links }]
  const measure = async (name: string, work: (() => Promise<void>)[]): Promise<void> => {
    await ask(child)
    const requests = await repeat(work, seconds)
    const { longest } = await ask(child)
    report.push({ name: `${name}: requests`, value: requests })
    report.push({ name: `${name}: longest delay in ms`, value: longest, allowed: ALLOWED_MS })
  }
  for (const [name, work] of Object.entries(kinds)) await measure(name, [work])
  await measure('all at once', Object.values(kinds))
  child.kill()
  await once(child, 'exit')
  await rm(directory, { recursive: true })
  return report
}

/** @returns how many requests were made */
async function repeat(work: readonly (() => Promise<void>)[], seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000
  let requests = 0
  const workers = work.flatMap((one) =>
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() < end) {
        await one()
        requests += 1
      }
    }),
  )
  await Promise.all(workers)
  return requests
}

/** Returns the longest delay since the last call, in milliseconds. */
async function ask(child: ChildProcess): Promise<{ longest: number }> {
  child.send('longest?')
  const [answer] = (await once(child, 'message')) as [{ longest: number }]
  return answer
}
