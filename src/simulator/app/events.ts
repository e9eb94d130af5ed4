import type { AppConnection } from './app-connection.ts'
import { newId } from '../workspace/clock.ts'
import type { SlackJson } from '../protocol.ts'
import { APP, TEAM } from '../workspace/seeds.ts'

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
