import type { App, Receiver, ReceiverEvent } from '@slack/bolt'
import type { SlackMetrics, SlackRequest } from '../../metrics/app-metrics.ts'
import { SlackTimeoutError } from './slack-client.ts'

/** Passes requests from Slack on as they are, and measures how long each waits for its acknowledgement. */
export function measuredReceiver(receiver: Receiver, metrics: SlackMetrics | undefined): Receiver {
  if (!metrics) return receiver
  return {
    init: (app) => receiver.init(measuredApp(app, metrics)),
    start: (...args: unknown[]) => receiver.start(...args),
    stop: (...args: unknown[]) => receiver.stop(...args),
  }
}

/** The same app for a receiver, which calls only `processEvent`. */
function measuredApp(app: App, metrics: SlackMetrics): App {
  const processEvent = async (event: ReceiverEvent): Promise<void> => {
    const start = performance.now()
    const kind = kindOf(event.body)
    const request = { isAcknowledged: false }
    if (event.retryNum !== undefined) metrics.redeliveries.inc({})
    try {
      await app.processEvent({
        ...event,
        async ack(response) {
          await event.ack(response)
          if (!request.isAcknowledged)
            metrics.acknowledgements.observe({ kind }, (performance.now() - start) / 1_000)
          request.isAcknowledged = true
        },
      })
    } finally {
      if (!request.isAcknowledged) metrics.unacknowledged.inc({ kind })
    }
  }
  return Object.create(app, { processEvent: { value: processEvent } }) as App
}

const KINDS: Readonly<Record<string, SlackRequest>> = {
  shortcut: 'shortcut',
  message_action: 'shortcut',
  block_actions: 'action',
  view_submission: 'form',
  event_callback: 'event',
}

function kindOf(body: ReceiverEvent['body']): SlackRequest {
  const { command, type, event } = body as {
    command?: unknown
    type?: unknown
    event?: { type?: unknown }
  }
  if (command !== undefined) return 'command'
  if (event?.type === 'function_executed') return 'workflow_step'
  return (Object.hasOwn(KINDS, String(type)) && KINDS[String(type)]) || 'other'
}

/** A fetch for calls to Slack that measures how long they take and how they fail. */
export function measuredFetch(
  fetch: typeof globalThis.fetch,
  metrics: SlackMetrics | undefined,
): typeof globalThis.fetch {
  if (!metrics) return fetch
  return async (...request) => {
    const start = performance.now()
    const called = (error?: string): void =>
      metrics.called((performance.now() - start) / 1_000, error)
    try {
      const response = await fetch(...request)
      called(await errorIn(response.clone()))
      return response
    } catch (error) {
      called(error instanceof SlackTimeoutError ? 'timeout' : 'unreachable')
      throw error
    }
  }
}

/** Slack's error code, which is in the body even if the status is 200; undefined if the call succeeded. */
async function errorIn(response: Response): Promise<string | undefined> {
  if (response.status === 429) return 'ratelimited'
  const text = await response.text()
  if (/"ok":\s*false/.test(text)) return /"error":\s*"([^"]*)"/.exec(text)?.[1] ?? ''
  return response.ok ? undefined : 'http_error'
}
