import { once } from 'node:events'
import { deploy } from './deployment.ts'
import type { Report } from './report.ts'
import { increment, findLosses, startWriters } from './writers.ts'

const WRITERS = 16
const READERS = 8

/** How many links are acknowledged between two restarts. */
const LINKS_BETWEEN = 50

/** How long a redirect can take, in milliseconds. */
const TIMEOUT_MS = 30_000

/** Restarts PostgreSQL under load: in turn, its connections are ended and its processes are killed. */
export async function restartPostgres(rounds: number): Promise<Report> {
  const deployment = await deploy('postgres')
  const { database, postgres, serviceUrl, apiKey } = deployment
  const service = deployment.program('service')
  const writers = startWriters(WRITERS, serviceUrl, apiKey)
  await writers.advance(1)
  const cached = [...writers.acknowledged.values()][0] ?? ''
  const [known, uncached] = [new Map<string, number>(), new Map<string, number>()]
  let stopped = false
  let asked = 0
  const readers = Array.from({ length: READERS }, async () => {
    while (!stopped) {
      increment(known, await statusOf(cached))
      increment(uncached, await statusOf(`${serviceUrl}/unknown${(asked += 1)}`))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
  const serviceEnded = once(service.process, 'exit')
  let recovered = 0
  for (let round = 0; round < rounds && service.process.exitCode === null; round++) {
    await writers.advance(LINKS_BETWEEN)
    await postgres?.restart(round % 2 === 0 ? 'fast' : 'immediate')
    const start = performance.now()
    // A process that has ended creates no more links.
    await Promise.race([writers.advance(WRITERS), serviceEnded])
    recovered = Math.max(recovered, performance.now() - start)
  }
  const died = service.process.exitCode === null ? 0 : 1
  stopped = true
  await Promise.all([died ? writers.giveUp() : writers.stop(), ...readers])
  const { lost, twice } = await findLosses(database, writers.acknowledged)
  const figure = (name: string, counts: ReadonlyMap<string, number>, status: string) => ({
    name: `${name} answered with ${status}`,
    value: counts.get(status) ?? 0,
  })
  await deployment.stop()
  return [
    { name: 'restarts', value: rounds },
    { name: 'service processes that ended', value: died, allowed: 0 },
    { name: 'acknowledged links', value: writers.acknowledged.size },
    { name: 'acknowledged links that are lost', value: lost, allowed: 0 },
    { name: 'links that were created twice', value: twice, allowed: 0 },
    figure('creates', writers.statuses, '503'),
    figure('creates', writers.statuses, '500'),
    { name: 'creates without an answer', value: writers.statuses.get('none') ?? 0, allowed: 0 },
    figure('redirects of a cached link', known, '302'),
    { name: 'redirects of a cached link that failed', value: others(known, '302'), allowed: 0 },
    figure('unknown short URLs', uncached, '404'),
    figure('unknown short URLs', uncached, '503'),
    {
      name: 'unknown short URLs answered otherwise',
      value: others(uncached, '404', '503'),
      allowed: 0,
    },
    { name: 'longest time until links were created again, in ms', value: Math.round(recovered) },
  ]
}

async function statusOf(url: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { redirect: 'manual', signal })
    await response.arrayBuffer()
    return String(response.status)
  } catch {
    return 'none'
  }
}

function others(counts: ReadonlyMap<string, number>, ...expected: string[]): number {
  return [...counts].reduce(
    (sum, [status, count]) => (expected.includes(status) ? sum : sum + count),
    0,
  )
}
