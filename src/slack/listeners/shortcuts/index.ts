import type { App } from '@slack/bolt'
import type { Deps } from '../../deps.ts'
import { withErrorReply } from '../../error-reply.ts'
import { GLOBAL_SHORTCUT, MESSAGE_SHORTCUT } from '../../ids.ts'
import { shortenLink } from './shorten-link.ts'
import { shortenMessageLinks } from './shorten-message-links.ts'

export function registerShortcuts(app: App, deps: Deps): void {
  app.shortcut(
    { type: 'shortcut', callback_id: GLOBAL_SHORTCUT },
    withErrorReply(deps, shortenLink(deps)),
  )
  app.shortcut(
    { type: 'message_action', callback_id: MESSAGE_SHORTCUT },
    withErrorReply(deps, shortenMessageLinks(deps)),
  )
}
