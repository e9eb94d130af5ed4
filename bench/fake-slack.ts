import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export const SIGNING_SECRET = 'a signing secret of the benchmark'
export const SLACK_TOKEN = 'xoxb-of-the-benchmark'

/** As much of Slack as a command needs that is sent, acknowledged and answered. */
export interface SlackStandIn {
  /** For the app's SLACK_API_URL. */
  apiUrl: string
  /** Sends `/shorten TEXT`. @returns milliseconds until it was acknowledged, and answered */
  command(appUrl: string, text: string): Promise<{ acknowledged: number; answered: number }>
  close(): void
}

export async function startSlackStandIn(): Promise<SlackStandIn> {
  const waiting = new Map<string, () => void>()
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const answer = /^\/answer\/(.*)$/.exec(request.url ?? '')?.[1]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ok: true, user_id: 'U0BOT', bot_id: 'B0BOT', team_id: 'T0' }))
      if (answer) waiting.get(answer)?.()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let sent = 0
  return {
    apiUrl: `${url}/api/`,
    async command(appUrl, text) {
      const id = `${(sent += 1)}`
      const answer = new Promise<void>((resolve) => waiting.set(id, resolve))
      const body = new URLSearchParams({
        command: '/shorten',
        text,
        trigger_id: id,
        response_url: `${url}/answer/${id}`,
        team_id: 'T0',
        team_domain: 'bench',
        channel_id: 'C0',
        user_id: 'U0',
      }).toString()
      const began = performance.now()
      const response = await fetch(`${appUrl}/slack/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...signature(body) },
        body,
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`a command was answered with ${response.status}`)
      const acknowledged = performance.now() - began
      await answer
      waiting.delete(id)
      return { acknowledged, answered: performance.now() - began }
    },
    close: () => server.close().closeAllConnections(),
  }
}

/** Slack's request signature, version 0. */
function signature(body: string): Record<string, string> {
  const at = String(Math.floor(Date.now() / 1000))
  const hash = createHmac('sha256', SIGNING_SECRET).update(`v0:${at}:${body}`).digest('hex')
  return { 'x-slack-request-timestamp': at, 'x-slack-signature': `v0=${hash}` }
}
