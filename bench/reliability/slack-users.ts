import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sendCommand } from '../fake-slack.ts'

/** People in Slack who type `/shorten` again and again. */
export interface SlackUsers {
  apiUrl: string
  start(count: number, appUrl: string): void
  /** Types no more. Resolves when every acknowledged command has an answer, or after a minute. */
  stop(): Promise<void>
  figures(): { acknowledged: number; unanswered: number; answeredTwice: number; notices: number }
}

/** How long `stop` waits for answers, in milliseconds. */
const LAST_ANSWERS_MS = 60_000

/** The text that a user gets whose request was not finished. */
const NOTICE = 'stopped before it could finish'

export async function startSlackUsers(): Promise<SlackUsers> {
  /** The answers to each acknowledged command. */
  const answers = new Map<string, string[]>()
  const acknowledged = new Set<string>()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const id = /^\/reply\/(.*)$/.exec(request.url ?? '')?.[1]
      if (id) answers.set(id, [...(answers.get(id) ?? []), body])
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ok: true, user_id: 'U0BOT', bot_id: 'B0BOT', team_id: 'T0' }))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let stopped = false
  let typed = 0
  let users: Promise<void>[] = []

  async function type(appUrl: string): Promise<void> {
    const id = String((typed += 1))
    const response = await sendCommand(appUrl, {
      id,
      text: `https://example.com/typed/${id}`,
      replyUrl: `${url}/reply/${id}`,
    })
    if (!response.ok) return
    acknowledged.add(id)
    while (!answers.has(id) && !stopped) await pause(20)
  }

  async function use(appUrl: string): Promise<void> {
    while (!stopped) {
      // Slack tells the user itself about a command that was not acknowledged.
      await type(appUrl).catch(() => undefined)
      await pause(20)
    }
  }

  const unanswered = (): string[] => [...acknowledged].filter((id) => !answers.has(id))
  return {
    apiUrl: `${url}/api/`,
    start(count, appUrl) {
      users = Array.from({ length: count }, () => use(appUrl))
    },
    async stop() {
      stopped = true
      await Promise.all(users)
      const end = Date.now() + LAST_ANSWERS_MS
      while (unanswered().length > 0 && Date.now() < end) await pause(100)
      server.close().closeAllConnections()
    },
    figures() {
      const all = [...answers.values()]
      return {
        acknowledged: acknowledged.size,
        unanswered: unanswered().length,
        answeredTwice: all.filter(
          (bodies) => bodies.filter((body) => !body.includes(NOTICE)).length > 1,
        ).length,
        notices: all.filter((bodies) => bodies.some((body) => body.includes(NOTICE))).length,
      }
    },
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
