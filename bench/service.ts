import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { CREATE_PATH } from '../src/contract/endpoints.ts'
import type { Measurement } from './table.ts'
import { startTarget, type Target } from './target.ts'

/** How long each case is driven, after a warm-up of the same kind, in seconds. */
const SECONDS = 4
const WARM_UP_SECONDS = 1
const CONNECTIONS = 64

/** Links that the redirects go round, each as likely as the next. */
const FOLLOWED_LINKS = 1_000

/** Creates and redirects a second: the service, and bare `node:http` beside it in the same run. */
export async function benchService(): Promise<Measurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-bench-'))
  const measured: Measurement[] = []
  try {
    for (const [name, script, ...args] of [
      ['bare node:http, a Map', 'bare-http.ts'],
      ['link service, SQLite', 'link-service.ts', `file:${join(directory, 'bench.db')}`],
    ] as const) {
      const target = await startTarget(name, script, args)
      measured.push(await benchRedirects(target), await benchCreates(target))
      await target.stop()
    }
  } finally {
    await rm(directory, { recursive: true })
  }
  return measured.toSorted((one, other) => one.what.localeCompare(other.what))
}

async function benchCreates(target: Target): Promise<Measurement> {
  return drive(target, 'create, all different', {
    url: target.baseUrl + CREATE_PATH,
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => ({ ...request, ...createRequest(target, nextNumber()) }),
      },
    ],
  })
}

async function benchRedirects(target: Target): Promise<Measurement> {
  const paths = await Promise.all(
    Array.from({ length: FOLLOWED_LINKS }, async () => {
      const { headers, body } = createRequest(target, nextNumber())
      const response = await fetch(target.baseUrl + CREATE_PATH, { method: 'POST', headers, body })
      const answer = (await response.json()) as { data: { shortlink: { shortlink_url: string } } }
      return new URL(answer.data.shortlink.shortlink_url).pathname
    }),
  )
  return drive(target, 'redirect, of 1,000 links', {
    url: target.baseUrl,
    requests: paths.map((path) => ({ method: 'GET', path })),
  })
}

async function drive(
  { name, process: server }: Target,
  what: string,
  options: autocannon.Options,
): Promise<Measurement> {
  const all = { connections: CONNECTIONS, ...options }
  await autocannon({ ...all, duration: WARM_UP_SECONDS })
  const result = await autocannon({ ...all, duration: SECONDS })
  const wrong = result.errors + result['4xx'] + result['5xx']
  if (wrong > 0) throw new Error(`${name}, ${what}: ${wrong} requests were not answered well`)
  if (server.exitCode !== null) throw new Error(`${name} ended under load`)
  return {
    what,
    where: name,
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }
}

let number = 0
const nextNumber = (): number => number++

function createRequest({ apiKey }: Target, link: number) {
  const fields = {
    destination_url: `https://example.com/some/long/page/${link}?with=a&query=too`,
    domain: 'default',
    title: `Page ${link}`,
  }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return {
    headers: { 'x-api-key': apiKey, 'content-type': 'multipart/form-data; boundary=b' },
    body: `${parts.join('')}--b--\r\n`,
  }
}
