import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { listenOnLoopback } from '../test/support/free-port.ts'

export const SIGNING_SECRET = 'the signing secret of the benchmark'
export const SLACK_TOKEN = 'xoxb-benchmark'

/** The part of Slack that sends a command, and receives its acknowledgement and its reply. */
export interface FakeSlack {
  /** The app's SLACK_API_URL. */
  apiUrl: string
  /** Sends `/shorten TEXT`. @returns the milliseconds until it was acknowledged, and replied to */
  command(appUrl: string, text: string): Promise<{ acknowledged: number; replied: number }>
  close(): void
}

export async function startFakeSlack(): Promise<FakeSlack> {
  const waiting = new Map<string, () => void>()
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const id = /^\/reply\/(.*)$/.exec(request.url ?? '')?.[1]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ok: true, user_id: 'U0BOT', bot_id: 'B0BOT', team_id: 'T0' }))
      if (id) waiting.get(id)?.()
    })
  })
  const url = await listenOnLoopback(server)
  let sent = 0
  return {
    apiUrl: `${url}/api/`,
    async command(appUrl, text) {
      const id = `${(sent += 1)}`
      const reply = new Promise<void>((resolve) => waiting.set(id, resolve))
      const start = performance.now()
      const response = await sendCommand(appUrl, { id, text, replyUrl: `${url}/reply/${id}` })
      if (!response.ok) throw new Error(`a command got the status ${response.status}`)
      const acknowledged = performance.now() - start
      await reply
      waiting.delete(id)
      return { acknowledged, replied: performance.now() - start }
    },
    close: () => server.close().closeAllConnections(),
  }
}

/** Sends the app `/shorten TEXT`, signed. @returns the acknowledgement, with its body read */
export async function sendCommand(
  appUrl: string,
  { id, text, replyUrl }: { id: string; text: string; replyUrl: string },
): Promise<Response> {
  const body = new URLSearchParams({
    command: '/shorten',
    text,
    trigger_id: id,
    response_url: replyUrl,
    team_id: 'T0',
    team_domain: 'bench',
    channel_id: 'C0',
    user_id: 'U0',
  }).toString()
  const response = await fetch(`${appUrl}/slack/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...signature(body) },
    body,
  })
  await response.arrayBuffer()
  return response
}

/** Slack's request signature, version 0. */
export function signature(body: string | Buffer): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const hash = createHmac('sha256', SIGNING_SECRET)
    .update(`v0:${timestamp}:`)
    .update(body)
    .digest('hex')
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hash}` }
}
