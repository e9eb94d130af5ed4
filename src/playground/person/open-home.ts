import type { Parts } from '../parts.ts'
import type { ActionResult } from '../../simulator/protocol.ts'
import { dmId } from '../../simulator/workspace/seeds.ts'
import { viewPayload } from '../../simulator/workspace/views.ts'

/** A person opens the app's Home tab. The app hears of it as an event, and publishes the view. */
export function openHome(
  { manifest, events, clock, views }: Parts,
  viewerId: string,
): ActionResult {
  if (!manifest.features.app_home.home_tab_enabled) {
    return { ok: false, message: 'This app has no Home tab.' }
  }
  const home = views.home(viewerId)
  events.send({
    type: 'app_home_opened',
    user: viewerId,
    channel: dmId(viewerId),
    tab: 'home',
    event_ts: clock.ts(),
    ...(home && { view: viewPayload(home) }),
  })
  return { ok: true }
}
