import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { CREATE_PATH } from '../src/contract/endpoints.ts'
import type { Measurement } from './table.ts'
import { startTarget, type Target } from './target.ts'

/** How long each operation is measured, in seconds. A warm-up comes first. */
const SECONDS = 4
const WARM_UP_SECONDS = 1
const CONNECTIONS = 64

/** The number of links that are requested in turn. */
const REDIRECTED_LINKS = 1_000

/** Measures creates and redirects: for the service and, in the same run, for bare `node:http`. */
export async function benchService(): Promise<Measurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-bench-'))
  const measured: Measurement[] = []
  try {
    for (const [name, script, ...args] of [
      ['bare node:http, a Map', 'bare-http.ts'],
      ['link service, SQLite', 'backhalf.ts', 'service', `file:${join(directory, 'bench.db')}`],
    ] as const) {
      const target = await startTarget(name, script, args)
      measured.push(await benchRedirects(target), await benchCreates(target))
      await target.stop()
    }
  } finally {
    await rm(directory, { recursive: true })
  }
  return measured.toSorted((a, b) => a.operation.localeCompare(b.operation))
}

async function benchCreates(target: Target): Promise<Measurement> {
  return measure(target, 'create, all different', {
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
    Array.from({ length: REDIRECTED_LINKS }, async () => {
      const { headers, body } = createRequest(target, nextNumber())
      const response = await fetch(target.baseUrl + CREATE_PATH, { method: 'POST', headers, body })
      const created = (await response.json()) as { data: { shortlink: { shortlink_url: string } } }
      return new URL(created.data.shortlink.shortlink_url).pathname
    }),
  )
  return measure(target, 'redirect, of 1,000 links', {
    url: target.baseUrl,
    requests: paths.map((path) => ({ method: 'GET', path })),
  })
}

async function measure(
  { name, process: server }: Target,
  operation: string,
  options: autocannon.Options,
): Promise<Measurement> {
  const all = { connections: CONNECTIONS, ...options }
  await autocannon({ ...all, duration: WARM_UP_SECONDS })
  const result = await autocannon({ ...all, duration: SECONDS })
  const failed = result.errors + result['4xx'] + result['5xx']
  if (failed > 0) throw new Error(`${name}, ${operation}: ${failed} requests failed`)
  if (server.exitCode !== null) throw new Error(`${name} exited under load`)
  return {
    operation,
    target: name,
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }
}

let lastNumber = 0
const nextNumber = (): number => lastNumber++

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
