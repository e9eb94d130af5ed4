import type { ReadLink } from '../../port/links.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { linkState } from '../block-kit/shown-link.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { Show } from '../platform/views.ts'
import { buildShortenForm, type EditedLink } from '../shorten/form.ts'
import { TOO_LONG } from './change-modals.ts'
import type { MenuOrigin } from './changed-link.ts'
import { findLinkDomain, fingerprint, toDraft } from './edit-draft.ts'
import type { MenuPlatform } from './link-changes.ts'

export async function openEditForm(
  menu: MenuPlatform,
  caller: Caller,
  { link, etag }: ReadLink,
  { position, ...reply }: MenuOrigin,
  show: Show,
): Promise<void> {
  const { clock, linkService, permissions } = menu
  const { name, shortlink_url: shortUrl } = link
  await permissions.checkMayChange(caller, { name, shortUrl })
  const { domains: known } = await linkService.connection(caller.workspace)
  const own = findLinkDomain(link, known)
  const domain = own && !known.includes(own) ? own : undefined
  const domains = [...known, ...(domain ? [domain] : [])]
  const { editable } = await linkService.capabilities(caller.workspace)
  const draft = toDraft(link, domains, editable)
  const edit: EditedLink = {
    ...{ name, shortUrl, etag, domain, position },
    base: fingerprint(draft, domains),
    hasImage: link.preview_image !== undefined,
    state: linkState(link, clock.now()),
  }
  const state = { reply, showUtm: false, showPreview: false, edit }
  const view = await buildShortenForm(menu, caller, { draft, state })
  // The form can't show a longer destination, and would ask for another one.
  const isTooLong = link.destination_url.length > LIMITS.inputText
  if (isTooLong || (view.private_metadata ?? '').length > LIMITS.metadata) {
    throw new SlackInputError(TOO_LONG)
  }
  await show(view)
}
