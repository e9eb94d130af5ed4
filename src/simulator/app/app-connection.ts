import { createHmac } from 'node:crypto'
import { newId } from '../workspace/clock.ts'
import type { SlackJson } from '../protocol.ts'
import { madeOutFor, type Team } from './team.ts'

/** The largest acknowledgement that is read, in bytes. */
const MAX_ACK_BYTES = 1024 * 1024

/** What became of a request to the app. */
export type Ack =
  | { kind: 'answered'; contentType: string; body: string }
  /** Answered with another status than 2xx. */
  | { kind: 'failed'; status: number }
  /** Not answered within 3 s. */
  | { kind: 'timeout' }
  | { kind: 'unreachable' }

/** The way to the app: signed HTTP, as Slack sends it. */
export interface AppConnection {
  /** Where requests go from now on. */
  connect(eventsUrl: string): void
  sendCommand(fields: Record<string, string>): Promise<Ack>
  /** Sends what Slack calls an interaction: the JSON in a form field named `payload`. */
  sendInteraction(payload: SlackJson): Promise<Ack>
  sendEvent(body: SlackJson, retry?: { number: number; reason: string }): Promise<Ack>
  /** Slack's old shared secret, which every request carries and nobody should check. */
  readonly verificationToken: string
}

export function createAppConnection({
  team,
  signingSecret,
  now,
  ackTimeoutMs,
}: {
  /** Whom everything that is sent comes from. */
  team: Team
  signingSecret: string
  now: () => number
  ackTimeoutMs: number
}): AppConnection {
  let url: string | undefined
  const madeOut = madeOutFor(team)

  async function send(
    contentType: string,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<Ack> {
    if (url === undefined) return { kind: 'unreachable' }
    const timestamp = String(Math.floor(now() / 1000))
    const signature = createHmac('sha256', signingSecret)
      .update(`v0:${timestamp}:${body}`)
      .digest('hex')
    const signal = AbortSignal.timeout(ackTimeoutMs)
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        signal,
        headers: {
          'content-type': contentType,
          'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
          'x-slack-request-timestamp': timestamp,
          'x-slack-signature': `v0=${signature}`,
          ...headers,
        },
        body,
      })
      const text = await readBounded(response)
      return response.ok && text !== undefined
        ? {
            kind: 'answered',
            contentType: response.headers.get('content-type') ?? '',
            body: text,
          }
        : { kind: 'failed', status: response.status }
    } catch {
      return { kind: signal.aborted ? 'timeout' : 'unreachable' }
    }
  }

  const form = (fields: Record<string, string>): Promise<Ack> =>
    send('application/x-www-form-urlencoded', new URLSearchParams(fields).toString())

  return {
    verificationToken: newId('', 24),
    connect(eventsUrl) {
      url = eventsUrl
    },
    sendCommand: (fields) => form(madeOut.command(fields)),
    sendInteraction: (payload) => form({ payload: JSON.stringify(madeOut.interaction(payload)) }),
    sendEvent: (body, retry) =>
      send(
        'application/json',
        JSON.stringify(madeOut.event(body)),
        retry && {
          'x-slack-retry-num': String(retry.number),
          'x-slack-retry-reason': retry.reason,
        },
      ),
  }
}

/** The body as text; undefined where it is larger than any acknowledgement. */
async function readBounded({ body }: Response): Promise<string | undefined> {
  if (!body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    size += chunk.length
    if (size > MAX_ACK_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
