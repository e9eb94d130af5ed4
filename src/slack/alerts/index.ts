import { decodeAlertStart } from '../block-kit/alert-button.ts'
import { textMessage } from '../block-kit/messages.ts'
import { ACTIONS, ALERT_BLOCK_PREFIX, ALERT_MENU, VIEWS } from '../ids.ts'
import type { Listeners } from '../platform/listeners.ts'
import { openAlertForm, saveAlert } from './alert-form.ts'
import { buildAlertList, refreshAlertList, stopAlert, type AlertPlatform } from './alert-list.ts'
import { alertText } from './conditions.ts'

export function registerAlerts(listeners: Listeners, platform: AlertPlatform): void {
  const { replies, views } = platform
  listeners.command('alerts', ({ caller, triggerId }) =>
    views.openThenBuild(caller, { triggerId, title: 'Alerts' }, async (show) =>
      show(await buildAlertList(platform, caller)),
    ),
  )
  listeners.action(ACTIONS.newAlert, (request) =>
    openAlertForm(platform, request, { about: decodeAlertStart(request.value) }),
  )
  listeners.action(ACTIONS.alertMenu, async (request) => {
    const { action, caller, value, view } = request
    if (!view) return
    const id = action.block_id.slice(ALERT_BLOCK_PREFIX.length)
    if (value === ALERT_MENU.edit) return openAlertForm(platform, request, { editedId: id })
    await stopAlert(platform, caller, id)
    await refreshAlertList(platform, caller, view.id)
  })
  listeners.action(ACTIONS.stopAlert, async ({ caller, target, value }) => {
    const { alert } = await stopAlert(platform, caller, value)
    const done = `:no_bell: Stopped. Backhalf no longer sends a message when ${alertText(alert)}.`
    await replies.send(caller.client, target, textMessage(done))
  })
  listeners.formSubmission(VIEWS.alert, (submission) => saveAlert(platform, submission))
}
