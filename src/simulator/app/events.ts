import { setTimeout as sleep } from 'node:timers/promises'
import type { Ack, AppConnection } from './app-connection.ts'
import { newId } from '../workspace/clock.ts'
import type { SlackJson } from '../protocol.ts'
import { APP, TEAM } from '../workspace/seeds.ts'

/** Slack retries a failed delivery at once, then after one minute and after five; in milliseconds. */
export const EVENT_RETRIES_MS: readonly number[] = [0, 60_000, 300_000]

/** Delivers the events that the app has subscribed to, in the background. */
export function createEvents({
  app,
  subscribed,
  now,
  retriesMs,
}: {
  app: AppConnection
  subscribed: readonly string[]
  now: () => number
  retriesMs: readonly number[]
}) {
  const stopped = new AbortController()

  async function deliver(body: SlackJson): Promise<void> {
    let reason = REASONS[(await app.sendEvent(body)).kind]
    for (const [index, ms] of retriesMs.entries()) {
      if (reason === undefined) return
      await sleep(ms, undefined, { signal: stopped.signal, ref: false })
      reason = REASONS[(await app.sendEvent(body, { number: index + 1, reason })).kind]
    }
  }

  return {
    /** @param at when it happened, in seconds since 1970; by default now */
    send(event: SlackJson & { type: string }, at = Math.floor(now() / 1000)): void {
      if (!subscribed.includes(event.type)) return
      const body = {
        token: app.verificationToken,
        team_id: TEAM.id,
        api_app_id: APP.id,
        event,
        type: 'event_callback',
        event_id: newId('Ev'),
        event_time: at,
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
      }
      deliver(body).catch((error: unknown) => {
        if (!stopped.signal.aborted) throw error
      })
    },
    /** Gives up on undelivered events. */
    stop: () => stopped.abort(),
  }
}

/** Slack's reason for a failed delivery; undefined if it succeeded. */
const REASONS: Record<Ack['kind'], string | undefined> = {
  answered: undefined,
  timeout: 'http_timeout',
  failed: 'http_error',
  unreachable: 'connection_failed',
}
