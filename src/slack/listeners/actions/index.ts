import type { App, BlockAction } from '@slack/bolt'
import type { Deps } from '../../deps.ts'
import { withErrorReply } from '../../error-reply.ts'
import { ACTIONS, VIEWS } from '../../ids.ts'
import type { ActionArgs } from './action-args.ts'
import { connectAgain } from './connect-again.ts'
import { changeCommand } from './change-command.ts'
import { changeDuplicate } from './change-duplicate.ts'
import { changeForm } from './change-form.ts'
import { linkMenu } from './link-menu.ts'
import { openConnect } from './open-connect.ts'
import { openForm } from './open-form.ts'
import { openSettings } from './open-settings.ts'
import { pushForm } from './push-form.ts'
import { pushTemplates } from './push-templates.ts'
import { reconnect } from './reconnect.ts'
import { shareLink } from './share-link.ts'
import { showQr } from './show-qr.ts'
import { templateMenu } from './template-menu.ts'
import { tickLink } from './tick-link.ts'
import { turnPage } from './turn-page.ts'
import { useExisting } from './use-existing.ts'

export function registerActions(app: App, deps: Deps): void {
  const on = (actionId: string, listener: (args: ActionArgs) => Promise<void>): void => {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: actionId },
      withErrorReply(deps, listener),
    )
  }
  on(ACTIONS.openForm, openForm(deps))
  on(ACTIONS.revealUtm, changeForm(deps))
  on(ACTIONS.revealPreview, changeForm(deps))
  on(ACTIONS.fillUtm, changeForm(deps))
  on(ACTIONS.removeImage, changeForm(deps))
  on(ACTIONS.tickLink, tickLink)
  on(ACTIONS.useExisting, useExisting(deps))
  on(ACTIONS.changeForm, changeDuplicate(deps))
  on(ACTIONS.changeCommand, changeCommand(deps))
  on(ACTIONS.shareLink, shareLink(deps))
  on(ACTIONS.showQr, showQr(deps))
  on(ACTIONS.listPrevious, turnPage(deps))
  on(ACTIONS.listNext, turnPage(deps))
  on(ACTIONS.listSort, turnPage(deps))
  on(ACTIONS.linkMenu, linkMenu(deps))
  on(ACTIONS.openConnect, openConnect(deps))
  on(ACTIONS.drawHomeAgain, turnPage(deps))
  on(ACTIONS.openSettings, openSettings(deps))
  on(ACTIONS.editDomains, pushForm(deps, VIEWS.settingsDomains))
  on(ACTIONS.editQr, pushForm(deps, VIEWS.settingsQr))
  on(ACTIONS.editTemplates, pushTemplates(deps))
  on(ACTIONS.addTemplate, pushForm(deps, VIEWS.settingsTemplate))
  on(ACTIONS.templateMenu, templateMenu(deps))
  on(ACTIONS.editNaming, pushForm(deps, VIEWS.settingsNaming))
  on(ACTIONS.editMayShorten, pushForm(deps, VIEWS.settingsMayShorten))
  on(ACTIONS.reconnect, reconnect(deps))
  on(ACTIONS.connectAgain, connectAgain(deps))
  on(ACTIONS.disconnect, pushForm(deps, VIEWS.disconnect))
}
