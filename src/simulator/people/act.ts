import type { Parts } from '../../playground/parts.ts'
import type { Action, ActionResult } from '../protocol.ts'
import { closeModal } from '../../playground/person/close-modal.ts'
import { openHome } from '../../playground/person/open-home.ts'
import { runStep } from './run-step.ts'
import { runGlobalShortcut, runMessageShortcut } from './shortcuts.ts'
import { submitModal } from './modals.ts'
import { useElement } from '../../playground/person/use-element.ts'
import { write } from './write.ts'

const DONE: ActionResult = { ok: true }

/** Does what a person does. Resolves when Slack would have shown them the first outcome. */
export async function act(parts: Parts, viewerId: string, action: Action): Promise<ActionResult> {
  if (!parts.manifest.settings.interactivity.is_enabled && INTERACTIVE.has(action.type)) {
    return { ok: false, message: 'This app is not configured to handle interactive responses.' }
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
      return DONE
    case 'dismiss_message':
      return dismiss(parts, viewerId, action.conversation, action.ts)
    case 'dismiss_refusals':
      parts.refusals.clear()
      return DONE
  }
}

const INTERACTIVE = new Set(['block_action', 'submit_modal', 'global_shortcut', 'message_shortcut'])

/** An ephemeral message can be dismissed by the one person who sees it. */
function dismiss(
  { messages }: Parts,
  viewerId: string,
  conversation: string,
  ts: string,
): ActionResult {
  if (messages.find(conversation, ts)?.visibleTo !== viewerId) {
    return { ok: false, message: 'Only a message that you alone see can be dismissed.' }
  }
  messages.remove(conversation, ts)
  return DONE
}
