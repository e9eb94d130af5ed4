import type { Parts } from '../parts.ts'
import type { Action, ActionResult } from '../protocol.ts'
import { dmId } from '../workspace/seeds.ts'
import { viewPayload } from '../workspace/views.ts'
import { submitModal } from './modals.ts'
import { runStep } from './run-step.ts'
import { rejected, runGlobalShortcut, runMessageShortcut } from './interactions.ts'
import { useElement } from './use-element.ts'
import { write } from './write.ts'

const INTERACTIVE = new Set(['block_action', 'submit_modal', 'global_shortcut', 'message_shortcut'])

const OK: ActionResult = { ok: true }

/** Resolves when Slack would show the person the first result. */
export async function act(parts: Parts, viewerId: string, action: Action): Promise<ActionResult> {
  if (!parts.manifest.settings.interactivity.is_enabled && INTERACTIVE.has(action.type)) {
    return rejected('This app is not configured to handle interactive responses.')
  }
  switch (action.type) {
    case 'write':
      return write(parts, viewerId, action)
    case 'block_action':
      return useElement(parts, viewerId, action)
    case 'submit_modal':
      return submitModal(parts, viewerId, action)
    case 'close_modal':
      return closeModal(parts, viewerId, action.id)
    case 'global_shortcut':
      return runGlobalShortcut(parts, viewerId, action)
    case 'message_shortcut':
      return runMessageShortcut(parts, viewerId, action)
    case 'open_home':
      return openHome(parts, viewerId)
    case 'run_step':
      return runStep(parts, viewerId, action)
    case 'invite_app':
      parts.conversations.setAppMember(action.conversation, action.member)
      return OK
    case 'dismiss_message':
      return dismissMessage(parts, viewerId, action)
    case 'dismiss_refusals':
      parts.refusals.clear()
      return OK
  }
}

function closeModal({ views }: Parts, viewerId: string, id: string): ActionResult {
  const open = views.modals(viewerId).find((one) => one.id === id)
  if (open?.view.clear_on_close === true) views.closeAll(viewerId)
  else if (open) views.close(open)
  return OK
}

function openHome({ manifest, events, clock, views }: Parts, viewerId: string): ActionResult {
  if (!manifest.features.app_home.home_tab_enabled) return rejected('This app has no Home tab.')
  const home = views.home(viewerId)
  events.send({
    type: 'app_home_opened',
    user: viewerId,
    channel: dmId(viewerId),
    tab: 'home',
    event_ts: clock.ts(),
    ...(home && { view: viewPayload(home) }),
  })
  return OK
}

function dismissMessage(
  { messages }: Parts,
  viewerId: string,
  { conversation, ts }: Extract<Action, { type: 'dismiss_message' }>,
): ActionResult {
  if (messages.find(conversation, ts)?.visibleTo !== viewerId) {
    return rejected('You can dismiss only messages that are visible to you alone.')
  }
  messages.remove(conversation, ts)
  return OK
}
