import { VIEWS } from '../ids.ts'
import type { Caller } from '../caller.ts'
import type { Deps } from '../deps.ts'
import { slackErrorCode } from '../slack-error-code.ts'

/** As much of a view as says what lies under it. */
interface Stacked {
  id: string
  callback_id: string
  root_view_id: string | null
  previous_view_id: string | null
}

/** Forms that lie on the list of templates, which lies on the settings. */
const ON_TEMPLATES: readonly string[] = [VIEWS.settingsTemplate, VIEWS.settingsDeleteTemplate]

/** Draws what lies under a form again, once the form has changed it. It never fails. */
export async function redrawBelow(
  { desk, logger }: Pick<Deps, 'desk' | 'logger'>,
  { client, workspace }: Pick<Caller, 'client' | 'workspace'>,
  { id, callback_id, root_view_id: root, previous_view_id: previous }: Stacked,
): Promise<void> {
  if (!root || root === id) return
  try {
    if (previous && previous !== root && ON_TEMPLATES.includes(callback_id)) {
      await client.views.update({ view_id: previous, view: await desk.templates(workspace) })
    }
    await client.views.update({ view_id: root, view: await desk.overview(workspace) })
  } catch (err) {
    // Closed since: whoever opens it again sees how it stands.
    if (slackErrorCode(err) !== 'not_found') {
      logger.error({ err }, 'the settings could not be drawn again')
    }
  }
}
