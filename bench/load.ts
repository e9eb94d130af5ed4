import autocannon from 'autocannon'
import { CREATE_PATH } from '../src/contract/endpoints.ts'
import type { Target } from './target.ts'

let lastNumber = 0

/** A create of a link that does not exist yet. */
function newLink({ apiKey }: Target) {
  const number = lastNumber++
  const fields = {
    destination_url: `https://example.com/some/long/page/${number}?with=a&query=too`,
    domain: 'default',
    title: `Page ${number}`,
  }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return {
    headers: { 'x-api-key': apiKey, 'content-type': 'multipart/form-data; boundary=b' },
    body: `${parts.join('')}--b--\r\n`,
  }
}

/** Creates links. @returns the paths of their short URLs */
export function createLinks(target: Target, count: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const response = await fetch(target.baseUrl + CREATE_PATH, {
        method: 'POST',
        ...newLink(target),
      })
      const created = (await response.json()) as { data: { shortlink: { shortlink_url: string } } }
      return new URL(created.data.shortlink.shortlink_url).pathname
    }),
  )
}

export interface Load {
  perSecond: number
  /** The server's CPU time for each request, its threads included, in microseconds. */
  cpuUs: number
}

/** Requests each path in turn. */
export function loadRedirects(target: Target, paths: string[], load: LoadOptions): Promise<Load> {
  return run(target, { ...load, requests: paths.map((path) => ({ path })) })
}

/** Creates links, each with a new destination. */
export function loadCreates(target: Target, load: LoadOptions): Promise<Load> {
  return run(target, {
    ...load,
    requests: [
      {
        method: 'POST',
        path: CREATE_PATH,
        setupRequest: (request) => ({ ...request, ...newLink(target) }),
      },
    ],
  })
}

type LoadOptions = Required<Pick<autocannon.Options, 'connections' | 'duration'>>

async function run(
  target: Target,
  options: Omit<autocannon.Options, 'url'> & LoadOptions,
): Promise<Load> {
  const before = await target.cpuUs()
  const result = await autocannon({ url: target.baseUrl, ...options })
  const used = (await target.cpuUs()) - before
  const { errors, timeouts, '4xx': rejected, '5xx': failed } = result
  if (errors + rejected + failed > 0) {
    const counts = `${errors} errors (${timeouts} timeouts), ${rejected} × 4xx, ${failed} × 5xx`
    throw new Error(`${target.name}: ${counts}`)
  }
  return { perSecond: result.requests.average, cpuUs: used / result.requests.total }
}
