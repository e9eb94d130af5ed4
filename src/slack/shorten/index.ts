import type { KnownBlock } from '@slack/types'
import { ACTIONS, GLOBAL_SHORTCUT, VIEWS, WORKFLOW_STEP } from '../ids.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import type { Listeners } from '../platform/listeners.ts'
import { registerDecisions } from './approval/decisions.ts'
import { changeCommand } from './change-command.ts'
import { changeForm, removeImage, reveal } from './change-form.ts'
import { registerDuplicates } from './duplicate/duplicates.ts'
import { buildShortenForm, emptyForm, fillUtm, type FormState } from './form.ts'
import { HELP_TOPIC_IDS } from './help.ts'
import { openLinkForm } from './open-form.ts'
import { openHelpTopic, sendHelp } from './open-help.ts'
import { shortenFromCommand, typedCommand } from './shorten-command.ts'
import { submitShortenForm } from './submit-form.ts'
import { runStep } from './workflow-step.ts'

export function registerShorten(
  listeners: Listeners,
  platform: ShortenPlatform,
  pageLinks: readonly KnownBlock[],
): void {
  const openForm = (caller: Caller, triggerId: string, reply: FormState['reply']): Promise<void> =>
    openLinkForm(platform, caller, triggerId, () =>
      buildShortenForm(platform, caller, emptyForm(reply)),
    )

  listeners.command('shorten', (request) => shortenFromCommand(platform, request), typedCommand)
  listeners.command('form', ({ caller, target, triggerId }) => openForm(caller, triggerId, target))
  listeners.command('help', (request) => sendHelp(platform, request, { pageLinks }))
  listeners.command('unknown', (request) =>
    sendHelp(platform, request, { unknown: request.text, pageLinks }),
  )
  for (const topic of HELP_TOPIC_IDS) {
    listeners.action(topic, (request) => openHelpTopic(platform, request))
  }
  listeners.globalShortcut(GLOBAL_SHORTCUT, ({ caller, target, triggerId }) =>
    openForm(caller, triggerId, target),
  )
  listeners.action(ACTIONS.openForm, ({ caller, userId, triggerId }) =>
    openForm(caller, triggerId, { userId }),
  )
  listeners.action(ACTIONS.changeCommand, (request) => changeCommand(platform, request))
  listeners.action(ACTIONS.revealUtm, (request) =>
    changeForm(platform, request, (form) => reveal(form, 'showUtm')),
  )
  listeners.action(ACTIONS.revealPreview, (request) =>
    changeForm(platform, request, (form) => reveal(form, 'showPreview')),
  )
  listeners.action(ACTIONS.removeImage, (request) => changeForm(platform, request, removeImage))
  listeners.action(ACTIONS.fillUtm, (request) =>
    changeForm(platform, request, (form) => fillUtm(platform, request.caller, form, request.value)),
  )
  listeners.action(ACTIONS.showVisitedUrl, (request) =>
    changeForm(platform, request, (form) => form),
  )
  listeners.formSubmission(VIEWS.shorten, (submission) => submitShortenForm(platform, submission))
  listeners.workflowStep(WORKFLOW_STEP, (caller, { event, complete, fail }) => {
    const { function_execution_id: id, inputs } = event
    return runStep(platform, caller, { id, inputs, complete, fail })
  })
  registerDuplicates(listeners, platform)
  registerDecisions(listeners, platform)
}
