import type { KnownBlock } from '@slack/types'
import { ACTIONS, GLOBAL_SHORTCUT, VIEWS, WORKFLOW_STEP } from '../ids.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Listeners } from '../platform/listeners.ts'
import { registerDecisions } from './approval/decisions.ts'
import { registerDuplicates } from './duplicate/duplicates.ts'
import { fillUtm } from './form.ts'
import { HELP_TOPIC_IDS, openHelpTopic, sendHelp } from './help.ts'
import { changeCommand, changeForm, openEmptyForm, type FormChange } from './open-form.ts'
import { shortenFromCommand, typedCommand } from './shorten-command.ts'
import { submitShortenForm } from './submit-form.ts'
import { runStep } from './workflow-step.ts'

export function registerShorten(
  listeners: Listeners,
  platform: ShortenPlatform,
  pageLinks: readonly KnownBlock[],
): void {
  listeners.command('shorten', (request) => shortenFromCommand(platform, request), typedCommand)
  listeners.command('form', (request) => openEmptyForm(platform, request))
  listeners.command('help', (request) => sendHelp(platform, request, pageLinks))
  listeners.command('unknown', (request) => sendHelp(platform, request, pageLinks, request.text))
  for (const topic of HELP_TOPIC_IDS) {
    listeners.action(topic, (request) => openHelpTopic(platform, request))
  }
  listeners.globalShortcut(GLOBAL_SHORTCUT, (request) => openEmptyForm(platform, request))
  listeners.action(ACTIONS.openForm, ({ userId, ...request }) =>
    openEmptyForm(platform, { ...request, target: { userId } }),
  )
  listeners.action(ACTIONS.changeCommand, (request) => changeCommand(platform, request))
  const onChange = (id: string, change: FormChange): void =>
    listeners.action(id, (request) => changeForm(platform, request, change))
  onChange(ACTIONS.revealUtm, ({ state }) => ({ state: { ...state, showUtm: true } }))
  onChange(ACTIONS.revealPreview, ({ state }) => ({ state: { ...state, showPreview: true } }))
  onChange(ACTIONS.removeImage, ({ draft: { preview_image: _removed, ...draft } }) => ({ draft }))
  onChange(ACTIONS.fillUtm, (form, { caller, value }) => fillUtm(platform, caller, form, value))
  onChange(ACTIONS.showVisitedUrl, () => ({}))
  listeners.formSubmission(VIEWS.shorten, (submission) => submitShortenForm(platform, submission))
  listeners.workflowStep(WORKFLOW_STEP, (caller, args) => runStep(platform, caller, args))
  registerDuplicates(listeners, platform)
  registerDecisions(listeners, platform)
}
