import type { ModalView } from '@slack/types'
import type { LinkService } from '../../port/link-service.ts'
import { isOrganization, type Workspace } from '../../workspaces/workspace.ts'
import { withoutReport } from '../../workspaces/settings.ts'
import { textMessage } from '../block-kit/elements.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { noticeModal } from '../block-kit/notices.ts'
import { ACTIONS, COMMAND, TEMPLATE_BLOCK_PREFIX, TEMPLATE_MENU, VIEWS } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import { formAgain, typedText } from '../platform/form-values.ts'
import type { ActionRequest, FormSubmission, Listeners } from '../platform/listeners.ts'
import { isAdmin, readTimeZone } from '../platform/slack-users.ts'
import { connectedIntro, connectedModal, connectModal, parseConnectForm } from './connect-form.ts'
import { createConnector } from './connector.ts'
import { triedDestinationsModal } from './destinations-form.ts'
import type { SettingsForm } from './settings-form.ts'
import { createSettingsModals, type SettingsOptions } from './settings-modals.ts'

export function registerSettings(
  listeners: Listeners,
  platform: LinkPlatform,
  options: SettingsOptions & { linkClient: (apiKey: string) => LinkService },
): void {
  const { workspaces } = options
  const { views, homeTab, linkService, replies, settings } = platform
  const modals = createSettingsModals(platform, options)
  const { forms } = modals
  const connector = createConnector({ ...options, clock: platform.clock })

  /** Asking Slack who is an admin takes longer than a trigger lives. */
  const adminModal =
    (title: string, build: (workspace: Workspace) => Promise<ModalView>) =>
    async ({ caller, userId, triggerId }: Click): Promise<void> => {
      const { workspace } = caller
      await views.openThenBuild(caller, { triggerId, title }, async (show) =>
        show(
          (await isAdmin(caller, userId))
            ? await build(workspace)
            : noticeModal(title, `${adminsOnly(caller)} Ask one of them.`),
        ),
      )
    }

  const openSettings = adminModal('Backhalf settings', (workspace) => modals.overview(workspace))
  const openDisconnect = adminModal('Disconnect Backhalf', (workspace) =>
    forms[VIEWS.disconnect].build({ workspace, key: '' }),
  )
  const buildConnectForm = async (workspace: Workspace): Promise<ModalView> =>
    connectModal(await connector.current(workspace))
  const openConnect = adminModal('Connect Backhalf', buildConnectForm)

  const pushForm =
    (form: SettingsForm, key = '') =>
    async ({ caller, triggerId }: ActionRequest): Promise<void> =>
      views.push(caller, triggerId, await form.build({ workspace: caller.workspace, key }))

  const pushConnectForm = async ({ caller, triggerId }: ActionRequest): Promise<void> =>
    views.push(caller, triggerId, await buildConnectForm(caller.workspace))

  /**
   * Asks the link service for its list only after the modal has opened. If it has none, the admin enters the domains in
   * the connect form.
   */
  async function editDomains(request: ActionRequest): Promise<void> {
    const { caller, triggerId } = request
    const { workspace } = caller
    if (!(await modals.domainPicker.isOffered(workspace))) return pushConnectForm(request)
    const title = FIELD_LABELS.domains
    await views.pushThenBuild(caller, { triggerId, title }, async (show) =>
      show(await modals.domainPicker.build({ workspace, key: '' })),
    )
  }

  async function editWeeklyReport({ caller, userId, triggerId }: ActionRequest): Promise<void> {
    await views.pushThenBuild(caller, { triggerId, title: 'Weekly report' }, async (show) => {
      const key = await readTimeZone(caller, userId)
      return show(await forms[VIEWS.settingsWeeklyReport].build({ ...caller, key }))
    })
  }

  async function stopReports({ caller, userId, target, view }: ActionRequest): Promise<void> {
    await requireAdmin(caller, userId)
    await settings.update(caller.workspace.id, userId, withoutReport)
    const done = `:white_check_mark: No more weekly reports. To start them again, use \`${COMMAND} settings\`.`
    if (!view) return replies.send(caller.client, target, textMessage(done))
    await views.update(caller, { view_id: view.id }, noticeModal('Weekly report', done))
    await modals.refreshBelow(caller, view)
  }

  async function connectAgain({ caller, userId, view }: ActionRequest): Promise<void> {
    const { workspace } = caller
    await requireAdmin(caller, userId)
    await linkService.signOutAfter(workspace, () => workspaces.connectAgain(workspace.id, userId))
    await workspaces.connection(workspace)
    if (view?.callback_id === VIEWS.connect) {
      const connected = noticeModal('Connected', ':white_check_mark: This workspace is connected.')
      await views.update(caller, { view_id: view.id }, connected)
      await modals.refreshBelow(caller, view)
    } else if (view) {
      await views.update(caller, { view_id: view.id }, await modals.overview(workspace))
    }
    await homeTab.refresh(caller)
  }

  async function submitConnectForm(submission: FormSubmission): Promise<void> {
    const { caller, userId, view } = submission
    const { workspace } = caller
    const { values } = view.state
    const notSaved = typedText(values, 'api_key')
      ? 'The key was not saved. Please enter it again.'
      : 'Nothing was saved.'
    const outcome = await answerForm(platform, submission, {
      work: async () => {
        const input = parseConnectForm(values)
        await requireAdmin(caller, userId)
        const connected = await linkService.signOutAfter(workspace, () =>
          connector.connect(workspace, input, userId),
        )
        const isChosen = input.domains !== undefined || connected.domains.length === 1
        const { domains } = connected
        const picker = isChosen
          ? undefined
          : await modals.domainPicker.buildFor(workspace, domains, connectedIntro(connected))
        return { connected, picker }
      },
      waiting: noticeModal('Connect Backhalf', 'Trying the key…'),
      rebuild: async (messages) => formAgain(view, [...messages, notSaved], 'api_key'),
      done: ({ connected, picker }) => picker ?? connectedModal(connected.domains, connected),
      closesWhenDone: false,
      consequence: notSaved,
    })
    if (!outcome) return
    await modals.refreshBelow(caller, view)
    await homeTab.refresh(caller)
  }

  async function submitSettingsForm(form: SettingsForm, submission: FormSubmission): Promise<void> {
    const { caller, userId, view } = submission
    const subject = { workspace: caller.workspace, key: view.private_metadata }
    const { values } = view.state
    const title = view.title.text
    const saved = await answerForm(platform, submission, {
      work: async () => {
        await requireAdmin(caller, userId)
        return form.save(subject, values, userId)
      },
      waiting: noticeModal(title, 'Saving…'),
      done: (message) => noticeModal(title, message ?? ':white_check_mark: Saved.'),
      closesWhenDone: (message) => message === undefined,
      consequence: `“${title}” was not saved.`,
    })
    if (!saved) return
    await modals.refreshBelow(caller, view)
    await homeTab.refresh(caller)
  }

  listeners.command('settings', openSettings)
  listeners.command('disconnect', openDisconnect)
  // The user might have typed a key after the command, so an error message shows nothing of it.
  listeners.command('connect', openConnect, () => ({}))
  listeners.action(ACTIONS.openSettings, openSettings)
  listeners.action(ACTIONS.openConnect, openConnect)
  listeners.action(ACTIONS.editDomains, editDomains)
  listeners.action(ACTIONS.editQr, pushForm(forms[VIEWS.settingsQr]))
  listeners.action(ACTIONS.editNaming, pushForm(forms[VIEWS.settingsNaming]))
  listeners.action(ACTIONS.editDestinations, pushForm(forms[VIEWS.settingsDestinations]))
  listeners.action(ACTIONS.tryDestination, async ({ caller, view }) => {
    if (!view) return
    const { id: view_id, hash } = view
    await views.update(caller, { view_id, hash }, triedDestinationsModal(view.state.values))
  })
  listeners.action(ACTIONS.editMayShorten, pushForm(forms[VIEWS.settingsMayShorten]))
  listeners.action(ACTIONS.editWeeklyReport, editWeeklyReport)
  listeners.action(ACTIONS.stopWeeklyReports, stopReports)
  listeners.action(ACTIONS.erasePerson, pushForm(forms[VIEWS.settingsErasePerson]))
  listeners.action(ACTIONS.disconnect, pushForm(forms[VIEWS.disconnect]))
  listeners.action(ACTIONS.addTemplate, pushForm(forms[VIEWS.settingsTemplate]))
  listeners.action(ACTIONS.editTemplates, async ({ caller, triggerId }) =>
    views.push(caller, triggerId, await modals.templates(caller.workspace)),
  )
  listeners.action(ACTIONS.templateMenu, async (request) => {
    const { action } = request
    if (action.type !== 'overflow') return
    const isDelete = action.selected_option.value === TEMPLATE_MENU.delete
    const key = action.block_id.slice(TEMPLATE_BLOCK_PREFIX.length)
    const formId = isDelete ? VIEWS.settingsDeleteTemplate : VIEWS.settingsTemplate
    await pushForm(forms[formId], key)(request)
  })
  listeners.action(ACTIONS.reconnect, pushConnectForm)
  listeners.action(ACTIONS.connectAgain, connectAgain)
  listeners.formSubmission(VIEWS.connect, submitConnectForm)
  for (const [formId, form] of Object.entries(forms)) {
    listeners.formSubmission(formId, (submission) => submitSettingsForm(form, submission))
  }
}

type Click = Pick<ActionRequest, 'caller' | 'userId' | 'triggerId'>

/** Checks again when something is changed, because the user might have been an admin only when the form was opened. */
export async function requireAdmin(
  caller: Pick<Caller, 'client' | 'workspace'>,
  userId: string,
): Promise<void> {
  if (await isAdmin(caller, userId)) return
  throw new SlackInputError(`${adminsOnly(caller)} Nothing was changed. Ask one of them.`)
}

function adminsOnly({ workspace }: Pick<Caller, 'workspace'>): string {
  const place = isOrganization(workspace.id) ? 'organization' : 'workspace'
  return `Only admins and owners of this ${place} can do this.`
}
