import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { CREATE_PATH, SHORTLINKS_PATH } from '../src/contract/endpoints.ts'
import type { Measurement } from './table.ts'
import { startTarget, type Target } from './target.ts'

/** How long each operation is measured, in seconds. A warm-up comes first. */
const SECONDS = 4
const WARM_UP_SECONDS = 1
const CONNECTIONS = 64

/** The links that are requested in turn, and edited in turn. */
const LINKS = 1_000

/** How many links are written per second meanwhile, and through how many connections. */
const WRITES_PER_SECOND = 1_000
const WRITE_CONNECTIONS = 16

/**
 * Measures redirects of links that are being edited. The baselines are redirects of the same service alone, and
 * during as many creates.
 */
export async function benchEdits(): Promise<Measurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-bench-'))
  try {
    const url = `file:${join(directory, 'edits.db')}`
    const target = await startTarget('link service, SQLite', 'backhalf.ts', ['service', url])
    const links = await Promise.all(Array.from({ length: LINKS }, () => createLink(target)))
    const paths = links.map(({ path }) => path)
    const measured = [
      await redirects(target, paths, 'redirect, alone'),
      ...(await beside(target, paths, 'create', [
        { method: 'POST', path: CREATE_PATH, setupRequest: withNewDestination(target) },
      ])),
      ...(await beside(
        target,
        paths,
        'edit',
        links.map(({ name }) => ({
          method: 'PATCH',
          path: `${SHORTLINKS_PATH}/${name}`,
          setupRequest: withNewDestination(target),
        })),
      )),
    ]
    await target.stop()
    return measured
  } finally {
    await rm(directory, { recursive: true })
  }
}

let lastNumber = 0

function newDestination({ apiKey }: Target) {
  const fields = { destination_url: `https://example.com/page/${lastNumber++}`, domain: 'default' }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return {
    headers: { 'x-api-key': apiKey, 'content-type': 'multipart/form-data; boundary=b' },
    body: `${parts.join('')}--b--\r\n`,
  }
}

function withNewDestination(target: Target) {
  return (request: autocannon.Request) => ({ ...request, ...newDestination(target) })
}

async function createLink(target: Target): Promise<{ name: string; path: string }> {
  const response = await fetch(target.baseUrl + CREATE_PATH, {
    method: 'POST',
    ...newDestination(target),
  })
  const { data } = (await response.json()) as {
    data: { shortlink: { name: string; shortlink_url: string } }
  }
  const { name, shortlink_url: shortUrl } = data.shortlink
  return { name, path: new URL(shortUrl).pathname }
}

/** Measures redirects during writes, and the writes. */
async function beside(
  target: Target,
  paths: readonly string[],
  write: string,
  requests: autocannon.Request[],
): Promise<Measurement[]> {
  const writes = autocannon({
    url: target.baseUrl,
    requests,
    connections: WRITE_CONNECTIONS,
    overallRate: WRITES_PER_SECOND,
    duration: WARM_UP_SECONDS + SECONDS,
  })
  const measured = await redirects(target, paths, `redirect, beside ${write}s`)
  return [measured, toMeasurement(target, `${write}, beside redirects`, await writes)]
}

async function redirects(
  target: Target,
  paths: readonly string[],
  operation: string,
): Promise<Measurement> {
  const all = {
    url: target.baseUrl,
    connections: CONNECTIONS,
    requests: paths.map((path) => ({ path })),
  }
  await autocannon({ ...all, duration: WARM_UP_SECONDS })
  return toMeasurement(target, operation, await autocannon({ ...all, duration: SECONDS }))
}

function toMeasurement(
  { name }: Target,
  operation: string,
  result: autocannon.Result,
): Measurement {
  const failed = result.errors + result['4xx'] + result['5xx']
  if (failed > 0) throw new Error(`${operation}: ${failed} requests failed`)
  const { p50, p99 } = result.latency
  return { operation, target: name, perSecond: result.requests.average, p50, p99 }
}
