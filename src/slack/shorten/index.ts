import type { KnownBlock, ModalView } from '@slack/types'
import { SPECIFICATION } from '../../port/capabilities.ts'
import { createPictures } from '../../picture/pictures.ts'
import type { LinkApprovals } from '../../workspaces/link-approvals.ts'
import type { CreatedLinks } from '../../workspaces/created-links.ts'
import type { RecentUtm } from '../../workspaces/settings.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { cut, escape } from '../block-kit/mrkdwn.ts'
import { readOnlyModal, type TypedInput } from '../block-kit/notices.ts'
import { ACTIONS, COMMAND, GLOBAL_SHORTCUT, VIEWS, WORKFLOW_STEP } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { explainError, isRefusedInput } from '../platform/error-messages.ts'
import {
  decodeFailedCommand,
  MAX_SHOWN_VALUE,
  namingNotice,
  SlackInputError,
} from '../platform/field-errors.ts'
import type { ActionRequest, CommandRequest, Listeners } from '../platform/listeners.ts'
import type { SlackFiles } from '../platform/slack-files.ts'
import { readTimeZone } from '../platform/slack-users.ts'
import { waitingMessage } from './approval/approval-messages.ts'
import { createApprovals, WaitingError } from './approval/approvals.ts'
import { registerDecisions } from './approval/decisions.ts'
import { parseCommandText } from './command-text.ts'
import type { Draft } from './draft.ts'
import { createDuplicates, registerDuplicates } from './duplicate/duplicates.ts'
import { DuplicateError } from './duplicate/find-duplicate.ts'
import { endOfDay, isDate } from './expiry.ts'
import { createShortenForms, emptyForm, type ShortenForm } from './form.ts'
import { HELP_TOPIC_IDS, helpMessage, helpTopics } from './help.ts'
import { createLinkRecord, createShortener } from './shortener.ts'
import { openLinkForm } from './open-form.ts'
import { createPreviewImages } from './preview-images.ts'
import { submitShortenForm } from './submit-form.ts'
import { runStep } from './workflow-step.ts'

export type Shorten = ReturnType<typeof registerShorten>

export function registerShorten(
  listeners: Listeners,
  platform: LinkPlatform,
  {
    createdLinks,
    recentUtm,
    linkApprovals,
    slackFiles,
    pageLinks,
  }: {
    createdLinks: CreatedLinks
    recentUtm: RecentUtm
    linkApprovals: LinkApprovals
    slackFiles: SlackFiles
    pageLinks: readonly KnownBlock[]
  },
) {
  const { homeTab, linkService, replies, views } = platform
  const linkRecord = createLinkRecord(platform, { createdLinks, recentUtm })
  const previewImages = createPreviewImages(slackFiles, createPictures(platform.logger))
  const approvals = createApprovals(platform, linkApprovals)
  const shortener = createShortener(platform, { linkRecord, previewImages, approvals })
  const forms = createShortenForms(platform, recentUtm)
  const duplicates = createDuplicates(platform)

  const openForm = (caller: Caller, triggerId: string, form: ShortenForm): Promise<void> =>
    openLinkForm(platform, caller, triggerId, () => forms.build(caller, form))

  async function shortenCommand({ caller, target, text, triggerId }: CommandRequest) {
    const { draft: typed, issues: found } = parseCommandText(text)
    const draft = await withEndOfDay(caller, typed)
    try {
      const link = await shortener.shorten(caller, draft, triggerId, { found })
      const renamed = namingNotice(draft, link.utm ?? {})
      const notice = renamed === undefined ? undefined : { text: escape(renamed) }
      await Promise.all([
        shortener.deliver(caller, target, link, { notice }),
        homeTab.refresh(caller),
      ])
    } catch (error) {
      if (error instanceof WaitingError) {
        return replies.send(caller.client, target, waitingMessage(error))
      }
      if (error instanceof DuplicateError) {
        return duplicates.answerCommand(caller, target, error, text)
      }
      throw isRefusedInput(error) ? new SlackInputError(explainError(error, draft)) : error
    }
  }

  async function sendHelp({ caller, target }: CommandRequest, unknown?: string): Promise<void> {
    const capabilities = await linkService.capabilities(caller.workspace).catch(() => SPECIFICATION)
    await replies.send(caller.client, target, helpMessage(capabilities, { unknown, pageLinks }))
  }

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

  listeners.command('shorten', shortenCommand, typedCommand)
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
  // "Change something" in the answer to a command: the form, with what the user typed.
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
    changeForm(request, (form) =>
      request.action.type === 'static_select'
        ? forms.fillUtm(request.caller, form, request.action.selected_option.value)
        : form,
    ),
  )
  listeners.action(ACTIONS.showVisitedUrl, (request) => changeForm(request, (form) => form))
  listeners.formSubmission(VIEWS.shorten, (submission) =>
    submitShortenForm(platform, { forms, shortener, duplicates }, submission),
  )
  listeners.workflowStep(WORKFLOW_STEP, (caller, { event, complete, fail }) => {
    const { function_execution_id: id, inputs } = event
    return runStep(platform, shortener, caller, { id, inputs, complete, fail })
  })
  registerDuplicates(listeners, platform, { shortener, duplicates })
  registerDecisions(listeners, platform, { shortener, store: linkApprovals })
  return { shortener, forms, linkRecord, previewImages, duplicates }
}

/** A date that the user types means the end of that day in the user's time zone, as in the form. */
export async function withEndOfDay(caller: Caller, draft: Draft): Promise<Draft> {
  const { expires_at: date } = draft
  if (date === undefined || !isDate(date) || caller.userId === undefined) return draft
  return { ...draft, expires_at: endOfDay(date, await readTimeZone(caller, caller.userId)) }
}

/** If a URL is too long for a button, it is too long for a link. Then the form has everything but the URL. */
function typedCommand(text: string): TypedInput {
  if (text.length <= LIMITS.buttonValue) return { typed: `${COMMAND} ${text}`, command: text }
  const { destination_url: destination = text } = parseCommandText(text).draft
  const typed = text.replace(destination, () => cut(destination, MAX_SHOWN_VALUE))
  const command = text.replace(destination, '""')
  return {
    typed: `${COMMAND} ${typed}`,
    ...(command.length <= LIMITS.buttonValue && { command }),
  }
}
