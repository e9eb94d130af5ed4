import { FieldErrors } from '../../store/field-errors.ts'
import type { LinkContext } from '../../store/context.ts'
import { validateChanges } from '../../store/link-rules.ts'
import { findShownLink, type LinkRow } from '../../store/links.ts'
import { NOT_FOUND, refusal } from '../link-input.ts'
import { whyRefused, linkTarget, type Viewer } from '../viewer.ts'
import type { BulkAction, NewValues } from './actions.ts'

export interface LinkResult {
  id: string
  shortUrl?: string
  result: 'changed' | 'unchanged' | { skipped: string }
}

export async function changeLink(
  context: LinkContext,
  viewer: Viewer,
  id: string,
  need: BulkAction['need'],
  newValues: NewValues | undefined,
): Promise<LinkResult> {
  const link = await findShownLink(context.db, viewer.reach, id)
  if (!link) return { id, result: { skipped: NOT_FOUND } }
  const refusalReason = whyRefused(viewer, need, link)
  const result = refusalReason
    ? { skipped: refusalReason }
    : await writeLink(context, viewer, link, newValues)
  return { id, shortUrl: context.addresses.shortUrl(link), result }
}

async function writeLink(
  context: LinkContext,
  viewer: Viewer,
  link: LinkRow,
  newValues: NewValues | undefined,
): Promise<LinkResult['result']> {
  if (link.deleted_at !== null) {
    return newValues ? { skipped: 'This link was deleted.' } : 'unchanged'
  }
  const target = linkTarget(viewer, link)
  if (!newValues) return toResult(context, await context.links.delete(target))
  const values = newValues(link)
  const errors = new FieldErrors()
  const reach = { ...viewer, ownerId: link.owner_id }
  const changes = await validateChanges(context, reach, link, { values, errors })
  if (!changes) return { skipped: Object.values(errors.texts()).join(' ') }
  // Optimistic locking: the new tags are computed from the current ones, so another change meanwhile must not be lost.
  const revisions = values['tags'] === undefined ? undefined : [link.revision]
  return toResult(context, await context.links.update({ ...target, revisions }, changes))
}

type Outcome = Awaited<ReturnType<LinkContext['links']['update' | 'delete']>>

function toResult({ addresses }: LinkContext, written: Outcome): LinkResult['result'] {
  switch (written.outcome) {
    case 'changed':
    case 'deleted':
      return 'changed'
    case 'unchanged':
      return 'unchanged'
    default:
      return { skipped: refusal(written, addresses).text }
  }
}
