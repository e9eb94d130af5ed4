import type { App } from '@slack/bolt'
import type { Deps } from '../../deps.ts'
import { withErrorReply } from '../../error-reply.ts'
import { VIEWS } from '../../ids.ts'
import { SETTINGS_FORMS } from '../../settings/desk.ts'
import { checklistSubmitted } from './checklist-submitted.ts'
import { connectSubmitted } from './connect-submitted.ts'
import { existingUsed } from './existing-used.ts'
import { shareSubmitted } from './share-submitted.ts'
import { settingsSubmitted } from './settings-submitted.ts'
import { shortenSubmitted } from './shorten-submitted.ts'

export function registerViews(app: App, deps: Deps): void {
  app.view(
    { type: 'view_submission', callback_id: VIEWS.shorten },
    withErrorReply(deps, shortenSubmitted(deps)),
  )
  app.view(
    { type: 'view_submission', callback_id: VIEWS.connect },
    withErrorReply(deps, connectSubmitted(deps)),
  )
  app.view(
    { type: 'view_submission', callback_id: VIEWS.share },
    withErrorReply(deps, shareSubmitted(deps)),
  )
  app.view(
    { type: 'view_submission', callback_id: VIEWS.checklist },
    withErrorReply(deps, checklistSubmitted(deps)),
  )
  app.view(
    { type: 'view_submission', callback_id: VIEWS.alreadyShortened },
    withErrorReply(deps, existingUsed(deps)),
  )
  for (const form of SETTINGS_FORMS) {
    app.view(
      { type: 'view_submission', callback_id: form },
      withErrorReply(deps, settingsSubmitted(deps, form)),
    )
  }
}
