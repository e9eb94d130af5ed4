import type { ModalView } from '@slack/types'
import { NotConnectedError } from '../../workspaces/connection.ts'
import { noticeModal } from '../block-kit/notices.ts'
import type { LinkPlatform, ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { errorTexts } from '../platform/error-messages.ts'
import { decodeFailedCommand } from '../platform/field-errors.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { parseCommandText } from './shorten-command.ts'
import { withEndOfDay } from './draft.ts'
import { isDate } from './expiry.ts'
import { buildShortenForm, newForm, readShortenForm, type ShortenForm } from './form.ts'

const TITLE = 'Shorten a link'

/** If this needs calls to Slack, “One moment…” opens first, because the trigger could expire during these calls. */
export async function openLinkForm(
  { permissions, views }: LinkPlatform,
  caller: Caller,
  triggerId: string,
  build: () => Promise<ModalView>,
  buildAsksSlack = false,
): Promise<void> {
  const formOrNotice = (): Promise<ModalView> =>
    build().catch((error: unknown) => {
      if (!(error instanceof NotConnectedError)) throw error
      return noticeModal(TITLE, errorTexts(error).join('\n'))
    })
  if (!buildAsksSlack && !(await permissions.dependsOnRank(caller))) {
    await views.open(caller, triggerId, await formOrNotice())
    return
  }
  await views.openThenBuild(caller, { triggerId, title: TITLE }, async (show) => {
    await permissions.checkMayShorten(caller)
    await show(await formOrNotice())
  })
}

export async function openEmptyForm(
  platform: ShortenPlatform,
  { caller, target, triggerId }: Pick<ActionRequest, 'caller' | 'target' | 'triggerId'>,
) {
  await openLinkForm(platform, caller, triggerId, () =>
    buildShortenForm(platform, caller, newForm(target)),
  )
}

export async function changeCommand(
  platform: ShortenPlatform,
  { caller, target, triggerId, value }: ActionRequest,
) {
  const { text, issues } = decodeFailedCommand(value)
  const parsed = parseCommandText(text)
  const build = async () => {
    const form = newForm(target, await withEndOfDay(caller, parsed.draft))
    return buildShortenForm(platform, caller, form, issues.length > 0 ? issues : parsed.issues)
  }
  const needsTimeZone = isDate(parsed.draft.expires_at ?? '')
  await openLinkForm(platform, caller, triggerId, build, needsTimeZone)
}

export type FormChange = (
  form: ShortenForm,
  request: ActionRequest,
) => Partial<ShortenForm> | Promise<Partial<ShortenForm>>

/**
 * Changes an open form, for example to reveal inputs. If the user presses two buttons at once, the view's hash lets
 * Slack refuse the second change. Otherwise, it would hide what the first one revealed.
 */
export async function changeForm(
  platform: ShortenPlatform,
  request: ActionRequest,
  change: FormChange,
) {
  const { caller, view } = request
  if (!view) return
  const form = readShortenForm(platform, caller, view)
  const changes = await change(form, request)
  const { id: view_id, hash } = view
  const changed = await buildShortenForm(platform, caller, { ...form, ...changes })
  await platform.views.update(caller, { view_id, hash }, changed)
}
