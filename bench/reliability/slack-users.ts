import { createServer } from 'node:http'
import { listenOnLoopback } from '../../test/support/free-port.ts'
import { sendCommand } from '../fake-slack.ts'

/** Users in Slack who type one `/shorten` command after another, and repeat a command that gets no answer. */
export interface SlackUsers {
  apiUrl: string
  start(count: number, appUrl: string): void
  /** Stops typing. Resolves when every acknowledged command is answered, and after a minute at the latest. */
  stop(): Promise<void>
  figures(): {
    acknowledged: number
    askedAgain: number
    unanswered: number
    /** How long each answer took after the first acknowledgement, in milliseconds. */
    waits: readonly number[]
  }
}

/** How long a user waits before asking again, in milliseconds. An answer takes at most 15 s. */
const PATIENCE_MS = 16_000

/** How long users keep asking after `stop`, in milliseconds. */
const LAST_ANSWERS_MS = 60_000

export async function startSlackUsers(): Promise<SlackUsers> {
  /** The commands that were acknowledged, and those of them that were answered. */
  const acknowledged = new Set<string>()
  const answered = new Set<string>()
  /** When a command was first acknowledged. */
  const since = new Map<string, number>()
  const waits: number[] = []
  let askedAgain = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const id = /^\/reply\/(.*)$/.exec(request.url ?? '')?.[1]
      if (id && !answered.has(id)) {
        answered.add(id)
        // An answer can arrive before the acknowledgement has been read.
        waits.push(performance.now() - (since.get(id) ?? performance.now()))
      }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ok: true, user_id: 'U0BOT', bot_id: 'B0BOT', team_id: 'T0' }))
    })
  })
  const url = await listenOnLoopback(server)
  let end = Infinity
  let typed = 0
  let users: Promise<void>[] = []

  /** @returns whether the command was acknowledged. If it was not, Slack itself tells the user. */
  async function type(appUrl: string, id: string, attempt: number): Promise<boolean> {
    const text = `https://example.com/typed/${id}`
    const command = { id: `${id}.${attempt}`, text, replyUrl: `${url}/reply/${id}` }
    return sendCommand(appUrl, command).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  /** Types a command until it is answered. */
  async function insist(appUrl: string): Promise<void> {
    const id = String((typed += 1))
    for (let attempt = 1; !answered.has(id) && Date.now() < end; attempt++) {
      if (!(await type(appUrl, id, attempt))) {
        await pause(20)
        continue
      }
      if (acknowledged.has(id)) askedAgain++
      if (!acknowledged.has(id)) since.set(id, performance.now())
      acknowledged.add(id)
      const patience = Date.now() + PATIENCE_MS
      while (!answered.has(id) && Date.now() < patience) await pause(20)
    }
  }

  async function use(appUrl: string): Promise<void> {
    while (end === Infinity) {
      await insist(appUrl)
      await pause(20)
    }
  }

  return {
    apiUrl: `${url}/api/`,
    start(count, appUrl) {
      users = Array.from({ length: count }, () => use(appUrl))
    },
    async stop() {
      end = Date.now() + LAST_ANSWERS_MS
      await Promise.all(users)
      server.close().closeAllConnections()
    },
    figures: () => ({
      acknowledged: acknowledged.size,
      askedAgain,
      unanswered: [...acknowledged].filter((id) => !answered.has(id)).length,
      waits,
    }),
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
