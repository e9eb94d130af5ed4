import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSlackStandIn, type SlackStandIn } from './fake-slack.ts'
import type { Measurement } from './table.ts'
import { startTarget } from './target.ts'

/** How long commands are sent, after a warm-up of the same kind, in milliseconds. */
const RUN_MS = 4_000
const WARM_UP_MS = 2_000

/** People who type a command at the same time, and the next one once they have an answer. */
const PEOPLE = 16

/**
 * `/shorten URL` until Slack has the acknowledgement, and until it has the answer: the app with
 * a link service of its own, and a bare Bolt app beside it in the same run.
 */
export async function benchApp(): Promise<Measurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-bench-'))
  const database = (name: string): string => `file:${join(directory, `${name}.db`)}`
  const slack = await startSlackStandIn()
  try {
    const bolt = await startTarget('bare Bolt', 'bare-bolt.ts', [slack.apiUrl])
    const least = await drive(slack, bolt)
    await bolt.stop()

    const service = await startTarget('link service', 'link-service.ts', [database('service')])
    const { baseUrl, apiKey } = service
    const app = await startTarget('app and link service', 'slack-app.ts', [
      slack.apiUrl,
      database('app'),
      baseUrl,
      apiKey,
    ])
    const ours = await drive(slack, app)
    await app.stop()
    await service.stop()
    return [...least, ...ours].toSorted((one, other) => one.what.localeCompare(other.what))
  } finally {
    slack.close()
    await rm(directory, { recursive: true })
  }
}

async function drive(
  slack: SlackStandIn,
  { name, baseUrl }: { name: string; baseUrl: string },
): Promise<Measurement[]> {
  await commandsFor(WARM_UP_MS, slack, baseUrl)
  const times = await commandsFor(RUN_MS, slack, baseUrl)
  const row = (what: string, all: number[]): Measurement => ({
    what,
    where: name,
    perSecond: (times.length * 1000) / RUN_MS,
    p50: percentile(all, 0.5),
    p99: percentile(all, 0.99),
  })
  return [
    row(
      'command, acknowledged',
      times.map(({ acknowledged }) => acknowledged),
    ),
    row(
      'command, answered',
      times.map(({ answered }) => answered),
    ),
  ]
}

let link = 0

async function commandsFor(ms: number, slack: SlackStandIn, appUrl: string) {
  const end = performance.now() + ms
  const times: Awaited<ReturnType<SlackStandIn['command']>>[] = []
  const person = async (): Promise<void> => {
    while (performance.now() < end) {
      link += 1
      times.push(await slack.command(appUrl, `https://example.com/some/long/page/${link}`))
    }
  }
  await Promise.all(Array.from({ length: PEOPLE }, person))
  return times
}

/** In milliseconds, to a tenth. */
function percentile(all: readonly number[], share: number): number {
  const at = Math.min(all.length - 1, Math.floor(all.length * share))
  return Math.round((all.toSorted((one, other) => one - other)[at] ?? 0) * 10) / 10
}
