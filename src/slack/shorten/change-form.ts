import type { ShortenPlatform } from '../links/links.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { buildShortenForm, readShortenForm, type ShortenForm } from './form.ts'

/** Sends the view's hash, so that Slack refuses a second click, which would hide what the first one revealed. */
export async function changeForm(
  platform: ShortenPlatform,
  { caller, view }: ActionRequest,
  change: (form: ShortenForm) => ShortenForm | Promise<ShortenForm>,
): Promise<void> {
  if (!view) return
  const form = await change(readShortenForm(platform, caller, view))
  const { id: view_id, hash } = view
  const changed = await buildShortenForm(platform, caller, form)
  await platform.views.update(caller, { view_id, hash }, changed)
}

export function reveal(
  { draft, state }: ShortenForm,
  part: 'showUtm' | 'showPreview',
): ShortenForm {
  return { draft, state: { ...state, [part]: true } }
}

export function removeImage({ draft, state }: ShortenForm): ShortenForm {
  const { preview_image: _removed, ...rest } = draft
  return { draft: rest, state }
}
