import type { ModalView } from '@slack/types'
import type { Workspace } from '../../workspaces/workspace.ts'
import { noticeModal } from '../block-kit/notices.ts'
import { VIEWS } from '../ids.ts'
import { fieldErrorText } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import { formAgain, typedText } from '../platform/form-values.ts'
import type { ActionRequest, FormSubmission } from '../platform/listeners.ts'
import { requireAdmin } from './admins.ts'
import { connectedIntro, connectedModal, connectModal, parseConnectForm } from './connect-form.ts'
import { connectWorkspace, currentConnection } from './connector.ts'
import { buildPicker } from './domain-picker.ts'
import { buildOverview, refreshSettings } from './overview.ts'
import type { SettingsPlatform } from './settings-form.ts'

export const buildConnectForm = async (
  platform: SettingsPlatform,
  workspace: Workspace,
): Promise<ModalView> => connectModal(await currentConnection(platform, workspace))

export async function submitConnectForm(platform: SettingsPlatform, submission: FormSubmission) {
  const { homeTab, linkService } = platform
  const { caller, userId, view } = submission
  const { workspace } = caller
  const { values } = view.state
  const notSaved = typedText(values, 'api_key')
    ? 'The key was not saved. Please enter it again.'
    : 'Nothing was saved.'
  const isConnected = await answerForm(platform, submission, {
    work: async () => {
      const input = parseConnectForm(values)
      await requireAdmin(caller, userId)
      const connected = await linkService.signOutAfter(workspace, () =>
        connectWorkspace(platform, workspace, input, userId),
      )
      const { domains } = connected
      return input.domains !== undefined || domains.length === 1
        ? connectedModal(connected)
        : buildPicker(platform, workspace, domains, connectedIntro(connected))
    },
    waiting: 'Trying the key…',
    rebuild: async (issues) =>
      formAgain(view, [...issues.map(fieldErrorText), notSaved], 'api_key'),
    done: (connectedView) => connectedView,
    closesWhenDone: false,
    consequence: notSaved,
  })
  if (!isConnected) return
  await refreshSettings(platform, caller, view)
  await homeTab.refresh(caller)
}

export async function connectAgain(platform: SettingsPlatform, request: ActionRequest) {
  const { homeTab, linkService, views, workspaces } = platform
  const { caller, userId, view } = request
  const { workspace } = caller
  await requireAdmin(caller, userId)
  await linkService.signOutAfter(workspace, () => workspaces.connectAgain(workspace.id, userId))
  await workspaces.connection(workspace)
  if (view?.callback_id === VIEWS.connect) {
    const connected = noticeModal('Connected', ':white_check_mark: This workspace is connected.')
    await views.update(caller, { view_id: view.id }, connected)
    await refreshSettings(platform, caller, view)
  } else if (view) {
    await views.update(caller, { view_id: view.id }, await buildOverview(platform, workspace))
  }
  await homeTab.refresh(caller)
}
