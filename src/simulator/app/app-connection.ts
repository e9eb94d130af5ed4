import { createHmac } from 'node:crypto'
import type { SlackJson } from '../protocol.ts'
import { newId } from '../workspace/clock.ts'
import { APP, TEAM } from '../workspace/seeds.ts'

export type Ack =
  | { kind: 'responded'; contentType: string; body: string }
  | { kind: 'failed'; status: number }
  | { kind: 'timeout' }
  | { kind: 'unreachable' }

export type AppConnection = ReturnType<typeof createAppConnection>

/** Sends requests to the app as Slack does: signed, and with a time limit for the response (the acknowledgement). */
export function createAppConnection({
  signingSecret,
  now,
  ackTimeout,
}: {
  signingSecret: string
  now: () => number
  ackTimeout: () => AbortSignal
}) {
  let url: string | undefined

  async function send(contentType: string, body: string): Promise<Ack> {
    if (url === undefined) return { kind: 'unreachable' }
    const timestamp = String(Math.floor(now() / 1000))
    const signature = createHmac('sha256', signingSecret)
      .update(`v0:${timestamp}:${body}`)
      .digest('hex')
    const signal = ackTimeout()
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
        },
        body,
      })
      const text = await response.text()
      if (!response.ok) return { kind: 'failed', status: response.status }
      const responseType = response.headers.get('content-type') ?? ''
      return { kind: 'responded', contentType: responseType, body: text }
    } catch {
      return { kind: signal.aborted ? 'timeout' : 'unreachable' }
    }
  }

  const sendForm = (fields: Record<string, string>): Promise<Ack> =>
    send('application/x-www-form-urlencoded', new URLSearchParams(fields).toString())

  return {
    // A deprecated shared secret, which Slack still puts into every request. Apps should not check it.
    verificationToken: newId('', 24),
    connect: (eventsUrl: string): void => void (url = eventsUrl),
    sendCommand: sendForm,
    sendInteraction: (payload: SlackJson) => sendForm({ payload: JSON.stringify(payload) }),
    sendEvent: (body: SlackJson) => send('application/json', JSON.stringify(body)),
  }
}

/** Sends an event if the app subscribes to it. Doesn't wait for the response and, unlike Slack, doesn't retry. */
export function createEvents(app: AppConnection, subscribed: readonly string[], now: () => number) {
  return {
    send(event: SlackJson & { type: string }, atSeconds = Math.floor(now() / 1000)): void {
      if (!subscribed.includes(event.type)) return
      void app.sendEvent({
        token: app.verificationToken,
        team_id: TEAM.id,
        api_app_id: APP.id,
        event,
        type: 'event_callback',
        event_id: newId('Ev'),
        event_time: atSeconds,
        authorizations: [
          {
            enterprise_id: null,
            team_id: TEAM.id,
            user_id: APP.userId,
            is_bot: true,
            is_enterprise_install: false,
          },
        ],
        is_ext_shared_channel: false,
      })
    },
  }
}
