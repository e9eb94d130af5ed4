import type { KnownBlock } from '@slack/types'
import { ACTIONS, GLOBAL_SHORTCUT, VIEWS, WORKFLOW_STEP } from '../ids.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import type { Listeners } from '../platform/listeners.ts'
import { registerDecisions } from './approval/decisions.ts'
import { registerDuplicates } from './duplicate/duplicates.ts'
import { buildShortenForm, emptyForm, fillUtm, type FormState } from './form.ts'
import { HELP_TOPIC_IDS, openHelpTopic, sendHelp } from './help.ts'
import { changeCommand, changeForm, openLinkForm, type FormChange } from './open-form.ts'
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
  const onChange = (id: string, change: FormChange): void =>
    listeners.action(id, (request) => changeForm(platform, request, change))
  onChange(ACTIONS.revealUtm, ({ draft, state }) => ({ draft, state: { ...state, showUtm: true } }))
  onChange(ACTIONS.revealPreview, ({ draft, state }) => ({
    draft,
    state: { ...state, showPreview: true },
  }))
  onChange(ACTIONS.removeImage, ({ draft: { preview_image: _removed, ...draft }, state }) => ({
    draft,
    state,
  }))
  onChange(ACTIONS.fillUtm, (form, { caller, value }) => fillUtm(platform, caller, form, value))
  onChange(ACTIONS.showVisitedUrl, (form) => form)
  listeners.formSubmission(VIEWS.shorten, (submission) => submitShortenForm(platform, submission))
  listeners.workflowStep(WORKFLOW_STEP, (caller, args) => runStep(platform, caller, args))
  registerDuplicates(listeners, platform)
  registerDecisions(listeners, platform)
}
