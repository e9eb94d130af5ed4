import type { ModalView } from '@slack/types'
import { SPECIFICATION } from '../../port/capabilities.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { VIEWS } from '../ids.ts'
import type { Caller } from '../platform/caller.ts'
import type { FormSubmission } from '../platform/listeners.ts'
import { overviewModal } from './overview-modal.ts'
import type { SettingsPlatform } from './settings-form.ts'
import { templatesModal } from './templates.ts'

/** The forms that the list of templates opens. A saved form refreshes that list, too. */
const TEMPLATE_FORMS: readonly string[] = [VIEWS.settingsTemplate, VIEWS.settingsDeleteTemplate]

export async function buildOverview(
  { linkService, serviceKind, serviceUrl, settings, workspaces }: SettingsPlatform,
  workspace: Workspace,
): Promise<ModalView> {
  const [status, current, capabilities] = await Promise.all([
    workspaces.status(workspace),
    settings.read(workspace.id),
    linkService.capabilities(workspace).catch(() => SPECIFICATION),
  ])
  return overviewModal({
    serviceUrl,
    serviceKind,
    status,
    settings: current,
    connectsAutomatically: workspaces.connectsAutomatically,
    offersReports: capabilities.reports,
  })
}

export async function buildTemplates({ settings }: SettingsPlatform, workspace: Workspace) {
  const { templates, naming } = await settings.read(workspace.id)
  return templatesModal(templates, naming)
}

export async function refreshSettings(
  platform: SettingsPlatform,
  caller: Caller,
  view: FormSubmission['view'],
): Promise<void> {
  const { logger, views } = platform
  const { workspace } = caller
  const { id, callback_id: callbackId, root_view_id: root, previous_view_id: previous } = view
  if (!root || root === id) return
  try {
    if (previous && TEMPLATE_FORMS.includes(callbackId)) {
      await views.update(caller, { view_id: previous }, await buildTemplates(platform, workspace))
    }
    await views.update(caller, { view_id: root }, await buildOverview(platform, workspace))
  } catch (err) {
    logger.error({ err }, 'the settings below a form could not be updated')
  }
}
