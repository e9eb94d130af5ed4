import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFakeSlack, type FakeSlack } from './fake-slack.ts'
import type { Measurement } from './table.ts'
import { startTarget } from './target.ts'

/** How long commands are sent, in milliseconds. A warm-up comes first. */
const RUN_MS = 4_000
const WARM_UP_MS = 2_000

/** Users who send commands at the same time. Each sends the next one after getting a reply. */
const USERS = 16

/**
 * Measures how long `/shorten URL` takes until it is acknowledged and until the reply arrives, for
 * the app with its own link service and, in the same run, for a bare Bolt app.
 */
export async function benchApp(): Promise<Measurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-bench-'))
  const database = (name: string): string => `file:${join(directory, `${name}.db`)}`
  const slack = await startFakeSlack()
  try {
    const bolt = await startTarget('bare Bolt', 'bare-bolt.ts', [slack.apiUrl])
    const bareTimes = await measure(slack, bolt)
    await bolt.stop()

    const service = await startTarget('link service', 'backhalf.ts', [
      'service',
      database('service'),
    ])
    const { baseUrl, apiKey } = service
    const app = await startTarget('app and link service', 'backhalf.ts', [
      'app',
      slack.apiUrl,
      database('app'),
      baseUrl,
      apiKey,
    ])
    const appTimes = await measure(slack, app)
    await app.stop()
    await service.stop()
    return [...bareTimes, ...appTimes].toSorted((a, b) => a.operation.localeCompare(b.operation))
  } finally {
    slack.close()
    await rm(directory, { recursive: true })
  }
}

async function measure(
  slack: FakeSlack,
  { name, baseUrl }: { name: string; baseUrl: string },
): Promise<Measurement[]> {
  await commandsFor(WARM_UP_MS, slack, baseUrl)
  const times = await commandsFor(RUN_MS, slack, baseUrl)
  const row = (operation: string, durations: number[]): Measurement => ({
    operation,
    target: name,
    perSecond: (times.length * 1000) / RUN_MS,
    p50: percentile(durations, 0.5),
    p99: percentile(durations, 0.99),
  })
  return [
    row(
      'command, acknowledged',
      times.map(({ acknowledged }) => acknowledged),
    ),
    row(
      'command, replied',
      times.map(({ replied }) => replied),
    ),
  ]
}

let link = 0

async function commandsFor(ms: number, slack: FakeSlack, appUrl: string) {
  const end = performance.now() + ms
  const times: Awaited<ReturnType<FakeSlack['command']>>[] = []
  const user = async (): Promise<void> => {
    while (performance.now() < end) {
      link += 1
      times.push(await slack.command(appUrl, `https://example.com/some/long/page/${link}`))
    }
  }
  await Promise.all(Array.from({ length: USERS }, user))
  return times
}

/** In milliseconds, rounded to a tenth. */
function percentile(durations: readonly number[], share: number): number {
  const index = Math.min(durations.length - 1, Math.floor(durations.length * share))
  return Math.round((durations.toSorted((a, b) => a - b)[index] ?? 0) * 10) / 10
}
