import type { KnownBlock, ModalView } from '@slack/types'
import { SPECIFICATION } from '../../port/capabilities.ts'
import { createPictures } from '../../picture/pictures.ts'
import type { LinkApprovals } from '../../workspaces/link-approvals.ts'
import type { CreatedLinks } from '../../workspaces/created-links.ts'
import type { RecentUtm } from '../../workspaces/settings.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import { ACTIONS, GLOBAL_SHORTCUT, VIEWS, WORKFLOW_STEP } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { decodeFailedCommand } from '../platform/field-errors.ts'
import type { ActionRequest, CommandRequest, Listeners } from '../platform/listeners.ts'
import type { SlackFiles } from '../platform/slack-files.ts'
import { registerDecisions } from './approval/decisions.ts'
import { parseCommandText } from './command-text.ts'
import { registerDuplicates } from './duplicate/duplicates.ts'
import { isDate, withEndOfDay } from './expiry.ts'
import { createShortenForms, emptyForm, type ShortenForm, type ShortenForms } from './form.ts'
import { HELP_TOPIC_IDS, helpMessage, helpTopics } from './help.ts'
import { createLinkRecord, type LinkRecord } from './link-record.ts'
import { openLinkForm } from './open-form.ts'
import { createPreviewImages, type PreviewImages } from './preview-images.ts'
import { shortenFromCommand, typedCommand } from './shorten-command.ts'
import { createShortener, type Shortener } from './shorten-link.ts'
import { submitShortenForm } from './submit-form.ts'
import { runStep } from './workflow-step.ts'

export interface Shorten {
  shortener: Shortener
  forms: ShortenForms
  linkRecord: LinkRecord
  previewImages: PreviewImages
}

interface ShortenDependencies {
  createdLinks: CreatedLinks
  recentUtm: RecentUtm
  linkApprovals: LinkApprovals
  slackFiles: SlackFiles
  pageLinks: readonly KnownBlock[]
}

export function registerShorten(
  listeners: Listeners,
  platform: LinkPlatform,
  options: ShortenDependencies,
): Shorten {
  const { linkService, replies, views } = platform
  const { recentUtm, linkApprovals, slackFiles, pageLinks } = options
  const linkRecord = createLinkRecord(platform, options)
  const previewImages = createPreviewImages(slackFiles, createPictures(platform.logger))
  const parts = { linkRecord, previewImages, approvals: linkApprovals }
  const shortener = createShortener(platform, parts)
  const forms = createShortenForms(platform, recentUtm)

  const openForm = (caller: Caller, triggerId: string, form: ShortenForm): Promise<void> =>
    openLinkForm(platform, caller, triggerId, () => forms.build(caller, form))

  async function sendHelp({ caller, target }: CommandRequest, unknown?: string): Promise<void> {
    const capabilities = await linkService.capabilities(caller.workspace).catch(() => SPECIFICATION)
    await replies.send(caller.client, target, helpMessage(capabilities, { unknown, pageLinks }))
  }

  listeners.command(
    'shorten',
    (request) => shortenFromCommand(platform, shortener, request),
    typedCommand,
  )
  listeners.command('form', ({ caller, target, triggerId }) =>
    openForm(caller, triggerId, emptyForm(target)),
  )
  listeners.command('help', (request) => sendHelp(request))
  listeners.command('unknown', (request) => sendHelp(request, request.text))
  for (const topic of HELP_TOPIC_IDS) {
    listeners.action(topic, async ({ caller, triggerId }) => {
      const can = await linkService.capabilities(caller.workspace).catch(() => SPECIFICATION)
      const found = helpTopics(can).find(({ id }) => id === topic)
      if (found) await views.open(caller, triggerId, readOnlyModal(found.title, found.blocks))
    })
  }
  listeners.globalShortcut(GLOBAL_SHORTCUT, ({ caller, target, triggerId }) =>
    openForm(caller, triggerId, emptyForm(target)),
  )
  listeners.action(ACTIONS.openForm, ({ caller, userId, triggerId }) =>
    openForm(caller, triggerId, emptyForm({ userId })),
  )
  // "Change something" in the response to a command: the form, with what the user typed.
  listeners.action(ACTIONS.changeCommand, ({ caller, target, triggerId, value }) => {
    const { text, issues } = decodeFailedCommand(value)
    const { draft: typed, issues: found } = parseCommandText(text)
    const build = async (): Promise<ModalView> => {
      const draft = await withEndOfDay(caller, typed)
      const shown = issues.length > 0 ? issues : found
      return forms.build(caller, { ...emptyForm(target), draft }, [], shown)
    }
    const asksSlack = isDate(typed.expires_at ?? '')
    return openLinkForm(platform, caller, triggerId, build, asksSlack)
  })

  /**
   * The view's hash makes Slack refuse a second click on the earlier form, which would hide what the first click
   * revealed.
   */
  async function changeForm(
    { caller, view }: ActionRequest,
    change: (form: ShortenForm) => ShortenForm | Promise<ShortenForm>,
  ): Promise<void> {
    if (!view) return
    const form = await change(forms.read(caller, view))
    const { id: view_id, hash } = view
    await views.update(caller, { view_id, hash }, await forms.build(caller, form))
  }

  listeners.action(ACTIONS.revealUtm, (request) =>
    changeForm(request, ({ draft, state }) => ({ draft, state: { ...state, showUtm: true } })),
  )
  listeners.action(ACTIONS.revealPreview, (request) =>
    changeForm(request, ({ draft, state }) => ({ draft, state: { ...state, showPreview: true } })),
  )
  listeners.action(ACTIONS.removeImage, (request) =>
    changeForm(request, ({ draft: { preview_image: _removed, ...draft }, state }) => ({
      draft,
      state,
    })),
  )
  listeners.action(ACTIONS.fillUtm, (request) =>
    changeForm(request, (form) => forms.fillUtm(request.caller, form, request.value)),
  )
  listeners.action(ACTIONS.showVisitedUrl, (request) => changeForm(request, (form) => form))
  listeners.formSubmission(VIEWS.shorten, (submission) =>
    submitShortenForm(platform, { forms, shortener }, submission),
  )
  listeners.workflowStep(WORKFLOW_STEP, (caller, { event, complete, fail }) => {
    const { function_execution_id: id, inputs } = event
    return runStep(platform, shortener, caller, { id, inputs, complete, fail })
  })
  registerDuplicates(listeners, platform, shortener)
  registerDecisions(listeners, platform, { shortener, store: linkApprovals })
  return { shortener, forms, linkRecord, previewImages }
}
