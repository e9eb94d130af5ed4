import autocannon from 'autocannon'
import { CREATE_PATH, SHORTLINKS_PATH } from '../src/contract/endpoints.ts'
import { filledId, filledPath } from './fill.ts'
import type { Target } from './target.ts'

let lastNumber = 0

/** A form with a new destination. */
function newForm({ apiKey }: Target) {
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

export interface Load {
  perSecond: number
  /** The server's CPU time for each request, its threads included, in microseconds. */
  cpuUs: number
}

/** `amount` ends the load after so many requests. */
type LoadOptions = { connections: number } & ({ duration: number } | { amount: number })

/** Opens the short URLs of the first links that `fill` has added, in turn over all connections. */
export function loadRedirects(target: Target, links: number, load: LoadOptions): Promise<Load> {
  let next = 0
  return run(target, load, () => ({ path: filledPath((next++ % links) + 1) }))
}

/** Creates links, each with a new destination. */
export function loadCreates(target: Target, load: LoadOptions): Promise<Load> {
  return run(target, load, () => ({ method: 'POST', path: CREATE_PATH, ...newForm(target) }))
}

/** Gives the first links that `fill` has added new destinations, in turn over all connections. */
export function loadEdits(target: Target, links: number, load: LoadOptions): Promise<Load> {
  let next = 0
  return run(target, load, () => ({
    method: 'PATCH',
    path: `${SHORTLINKS_PATH}/${filledId((next++ % links) + 1)}`,
    ...newForm(target),
  }))
}

async function run(
  target: Target,
  options: LoadOptions,
  nextRequest: () => autocannon.Request,
): Promise<Load> {
  const before = await target.cpuUs()
  const result = await autocannon({
    url: target.baseUrl,
    ...options,
    requests: [{ setupRequest: (request) => ({ ...request, ...nextRequest() }) }],
  })
  const used = (await target.cpuUs()) - before
  const { errors, timeouts, '4xx': rejected, '5xx': failed } = result
  if (errors + rejected + failed > 0) {
    const counts = `${errors} errors (${timeouts} timeouts), ${rejected} × 4xx, ${failed} × 5xx`
    throw new Error(`${target.name}: ${counts}`)
  }
  return { perSecond: result.requests.average, cpuUs: used / result.requests.total }
}
