import fc from 'fast-check'
import { request as httpRequest } from 'node:http'
import { signedIn } from '../../test/support/dashboard.ts'
import { signature } from '../fake-slack.ts'
import { deploy, type Deployment } from './deployment.ts'
import { CSRF } from './fuzzed-bodies.ts'
import { fuzzedRequests, LINK, type FuzzedRequest } from './fuzzed-requests.ts'
import type { Report } from './report.ts'
import { startSlackUsers } from './slack-users.ts'
import { increment, startWriters } from './writers.ts'

/** How many requests are sent at the same time. */
const AT_ONCE = 8

/** How many links there are at the start. */
const LINKS = 200

/** How long an answer can take, in milliseconds. */
const TIMEOUT_MS = 15_000

/** Sends random requests to every address. The same seed sends the same requests. */
export async function fuzz(requests: number, seed: number): Promise<Report> {
  const slack = await startSlackUsers()
  const deployment = await deploy('sqlite', slack.apiUrl)
  const session = await dashboardSession(deployment)
  const names = await makeLinks(deployment)
  const samples = fc.sample(fuzzedRequests, { numRuns: requests, seed })
  const statuses = new Map<string, number>()
  const failures: string[] = []
  const queue = samples.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const sample of queue) {
        const status = await send(deployment, session, withLink(sample, names))
        increment(statuses, /^[1-4]/.test(status) ? `${status.slice(0, 1)}xx` : status)
        if (!/^[1-4]/.test(status)) failures.push(`${status}: ${JSON.stringify(sample)}`)
      }
    }),
  )
  for (const failure of failures.slice(0, 20)) process.stdout.write(`${failure.slice(0, 1000)}\n`)
  const died = (['service', 'app'] as const).filter(
    (name) => deployment.program(name).process.exitCode !== null,
  )
  await deployment.stop()
  await slack.stop()
  return [
    { name: 'requests', value: requests },
    ...[...statuses].sort().map(([name, value]) => ({ name: `answered with ${name}`, value })),
    { name: 'answered with 5xx, or not at all', value: failures.length, allowed: 0 },
    { name: 'processes that ended', value: died.length, allowed: 0 },
  ]
}

/** A session of the dashboard, and the token that its forms contain. */
interface Session {
  cookie: string
  csrf: string
}

async function dashboardSession({ serviceUrl, databaseUrl }: Deployment): Promise<Session> {
  const browser = await signedIn({ baseUrl: serviceUrl, databaseUrl })
  const { text } = await browser.get('/dashboard/keys')
  const csrf = /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
  return {
    cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    csrf,
  }
}

/** @returns the names of new links */
async function makeLinks({ serviceUrl, apiKey, database }: Deployment): Promise<string[]> {
  const writers = startWriters(1, serviceUrl, apiKey)
  await writers.advance(LINKS)
  await writers.stop()
  const rows = await database.db.selectFrom('links').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

function withLink(request: FuzzedRequest, names: readonly string[]): FuzzedRequest {
  const name = (_: string, number: string): string => names[Number(number) % names.length] ?? ''
  return { ...request, path: request.path.replace(LINK, name) }
}

/** @returns the status, or what went wrong */
function send(
  { serviceUrl, appUrl, apiKey }: Deployment,
  { cookie, csrf }: Session,
  { to, method, path, headers, body, credentials }: FuzzedRequest,
): Promise<string> {
  const bytes = Buffer.from(body.replace(CSRF, csrf), 'latin1')
  const all: Record<string, string> = { ...headers }
  if (bytes.length > 0) all['content-length'] = String(bytes.length)
  if (credentials && to === 'service') Object.assign(all, { 'x-api-key': apiKey, cookie })
  if (credentials && to === 'app') Object.assign(all, signature(bytes))
  const { hostname, port } = new URL(to === 'service' ? serviceUrl : appUrl)
  return new Promise((resolve) => {
    try {
      const request = httpRequest(
        { hostname, port, method, path, headers: all, agent: false, timeout: TIMEOUT_MS },
        (response) => {
          response.resume().on('end', () => resolve(String(response.statusCode)))
          response.on('error', () => resolve('answer cut off'))
        },
      )
      request.on('timeout', () => {
        resolve('no answer')
        request.destroy()
      })
      request.on('error', (error) => resolve(error.message))
      request.end(bytes)
    } catch {
      resolve('400, which Node’s client refuses to send')
    }
  })
}
