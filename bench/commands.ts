import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startFakeSlack, type FakeSlack } from './fake-slack.ts'
import { median, takeTurns, type Comparison } from './rounds.ts'
import { startTarget, type Target } from './target.ts'

const ROUNDS = 5
const ROUND_MS = 2_000

/** Users who send commands at the same time. Each sends the next one after getting a reply. */
const USERS = 16

/** The commands of `npm run bench -- rate`. They are sent on time, however long the others take. */
const RATE = { perSecond: 200, seconds: 60 }

/** Slack shows an error if it gets no acknowledgement within 3 s; users get an answer within 15 s. */
const LIMITS_MS = { acknowledged: 3_000, replied: 15_000 }

/** Compares the time until `/shorten URL` is acknowledged with a bare Bolt app. */
export async function compareCommands(): Promise<Comparison[]> {
  const slack = await startFakeSlack()
  const bolt = await startTarget('bare Bolt', 'bare-bolt.ts', [slack.apiUrl])
  try {
    return await withApp(slack, async (app) => {
      const round = async (target: Target): Promise<Record<'ack' | 'reply' | 'cpu', number>> => {
        const before = await target.cpuUs()
        const times = await commandsFor(ROUND_MS, slack, target.baseUrl)
        return {
          cpu: ((await target.cpuUs()) - before) / times.length,
          ack: median(times.map(({ acknowledged }) => acknowledged)),
          reply: median(times.map(({ replied }) => replied)),
        }
      }
      await round(app) // warms up
      await round(bolt)
      const turns = await takeTurns(
        ROUNDS,
        () => round(app),
        () => round(bolt),
      )
      const of = (figure: 'ack' | 'reply' | 'cpu') => ({
        baseline: 'bare Bolt',
        ours: turns.ours.map((times) => times[figure]),
        theirs: turns.theirs.map((times) => times[figure]),
      })
      return [
        { figure: 'command acknowledged, p50 ms', aim: '1.3', ...of('ack') },
        { figure: 'command answered, p50 ms', aim: '', ...of('reply') },
        { figure: 'command, µs of CPU each', aim: '', ...of('cpu') },
      ]
    })
  } finally {
    await bolt.stop()
    slack.close()
  }
}

/** Sends 200 commands a second for a minute. @returns the result as text, and whether all were answered in time */
export async function holdRate(): Promise<{ text: string; passed: boolean }> {
  const slack = await startFakeSlack()
  const times = await withApp(slack, async ({ baseUrl }) => {
    await commandsFor(ROUND_MS, slack, baseUrl) // warms up
    const start = performance.now()
    const commands: Promise<Times | undefined>[] = []
    while (commands.length < RATE.perSecond * RATE.seconds) {
      const due = start + (commands.length * 1000) / RATE.perSecond
      if (due > performance.now()) await sleep(due - performance.now())
      const command = slack.command(baseUrl, nextUrl()).catch(() => undefined)
      const tooLate = sleep(LIMITS_MS.replied, undefined, { ref: false })
      commands.push(Promise.race([command, tooLate]))
    }
    return Promise.all(commands)
  }).finally(() => slack.close())
  const answered = times.filter((time) => time !== undefined)
  const inTime = answered.filter(({ acknowledged }) => acknowledged <= LIMITS_MS.acknowledged)
  const line = (what: string, durations: number[]): string =>
    `${what} after: p50 ${at(durations, 0.5)} ms, p99 ${at(durations, 0.99)} ms, at most ${at(durations, 1)} ms`
  return {
    passed: inTime.length === times.length,
    text: [
      `commands: ${times.length}, ${RATE.perSecond} a second for ${RATE.seconds} s`,
      `answered within ${LIMITS_MS.replied / 1000} s: ${answered.length}`,
      `of these, acknowledged within ${LIMITS_MS.acknowledged / 1000} s: ${inTime.length}`,
      line(
        'acknowledged',
        answered.map(({ acknowledged }) => acknowledged),
      ),
      line(
        'answered',
        answered.map(({ replied }) => replied),
      ),
    ].join('\n'),
  }
}

type Times = Awaited<ReturnType<FakeSlack['command']>>

/** The app, with its own link service in another process. */
async function withApp<T>(slack: FakeSlack, measure: (app: Target) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'backhalf-bench-'))
  const database = (name: string): string => `file:${join(directory, `${name}.db`)}`
  const service = await startTarget('link service', 'backhalf.ts', ['service', database('service')])
  try {
    const { baseUrl, apiKey } = service
    const args = ['app', slack.apiUrl, database('app'), baseUrl, apiKey]
    const app = await startTarget('app', 'backhalf.ts', args)
    try {
      return await measure(app)
    } finally {
      await app.stop()
    }
  } finally {
    await service.stop()
    await rm(directory, { recursive: true })
  }
}

let link = 0

function nextUrl(): string {
  return `https://example.com/some/long/page/${++link}`
}

async function commandsFor(ms: number, slack: FakeSlack, appUrl: string): Promise<Times[]> {
  const end = performance.now() + ms
  const times: Times[] = []
  const user = async (): Promise<void> => {
    while (performance.now() < end) times.push(await slack.command(appUrl, nextUrl()))
  }
  await Promise.all(Array.from({ length: USERS }, user))
  return times
}

/** A percentile, rounded to a tenth. */
function at(durations: readonly number[], share: number): number {
  const index = Math.min(durations.length - 1, Math.floor(durations.length * share))
  return Math.round((durations.toSorted((a, b) => a - b)[index] ?? NaN) * 10) / 10
}
