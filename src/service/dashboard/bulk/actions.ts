import type { ComponentChildren } from 'preact'
import { parseTags, tagKey, tagsError } from '../../../contract/tags.ts'
import type { LinkContext } from '../../store/context.ts'
import { FieldErrors } from '../../store/field-errors.ts'
import { KEPT_DAYS } from '../../store/link-history.ts'
import { expiryError, validateChanges } from '../../store/link-rules.ts'
import { findShownLink, type LinkRow } from '../../store/links.ts'
import { linkTarget, type Need, type Viewer, whyRefused } from '../access.ts'
import type { FilledForm, FormInputs } from '../form.ts'
import { toInstant } from '../link-form.ts'
import { NOT_FOUND, refusal } from '../link-input.ts'

export const ACTION_NAMES = ['tags', 'expiry', 'turn-off', 'turn-on', 'delete'] as const

export type ActionName = (typeof ACTION_NAMES)[number]

type NewValues = (link: LinkRow) => Record<string, string>

export interface BulkAction {
  /** The label of the button above the list. `turn-on` has no button, because only *Undo* runs it. */
  label?: string
  verb: string
  pastParticiple: string
  need: Extract<Need, `shortlinks:${string}`>
  lead: string
  fields?: (inputs: FormInputs) => ComponentChildren
  /** Adds errors to the form. @returns a function that computes a link's new values; undefined to delete links */
  read: (form: FilledForm, now: number) => NewValues | undefined
}

export const ACTIONS: Record<ActionName, BulkAction> = {
  tags: {
    label: 'Change tags…',
    verb: 'Change the tags of',
    pastParticiple: 'changed',
    need: 'shortlinks:update',
    lead: 'Each link gets the tags that you add, loses those that you remove, and keeps all others.',
    fields: ({ field }) => [
      field('add', 'Add tags', { hint: 'Separate tags with commas.' }),
      field('remove', 'Remove tags'),
    ],
    read: readTags,
  },
  expiry: {
    label: 'Set an expiry…',
    verb: 'Set the expiry of',
    pastParticiple: 'changed',
    need: 'shortlinks:update',
    lead: 'All of these links get this expiry, which replaces any earlier one.',
    fields: ({ field }) =>
      field('expires_at', 'Expires', {
        type: 'datetime-local',
        hint: 'In UTC. From then on, the links stop working. If empty, the links no longer expire.',
      }),
    read: readExpiry,
  },
  'turn-off': {
    label: 'Turn off…',
    verb: 'Turn off',
    pastParticiple: 'turned off',
    need: 'shortlinks:update',
    lead: 'Visitors see a page saying that the link is turned off. The result has a button that undoes this.',
    read: () => () => ({ enabled: 'false' }),
  },
  'turn-on': {
    verb: 'Turn on',
    pastParticiple: 'turned on',
    need: 'shortlinks:update',
    lead: 'The links work again.',
    read: () => () => ({ enabled: 'true' }),
  },
  delete: {
    label: 'Delete…',
    verb: 'Delete',
    pastParticiple: 'deleted',
    need: 'shortlinks:delete',
    lead: `These short URLs will stop working and can’t be used again. This can’t be undone. For ${KEPT_DAYS} days, the administrator of this link service can still see where they led.`,
    read: () => undefined,
  },
}

function readTags({ values: { add = '', remove = '' }, errors }: FilledForm): NewValues {
  for (const [name, text] of Object.entries({ add, remove })) {
    const error = tagsError(text)
    if (error !== undefined) errors[name] = error
  }
  const added = parseTags(add)
  const removed = new Set(parseTags(remove).map(tagKey))
  const contradictory = added.find((tag) => removed.has(tagKey(tag)))
  if (added.length === 0 && removed.size === 0) {
    errors['add'] = 'Enter a tag to add or to remove.'
  } else if (contradictory !== undefined) {
    errors['remove'] = `“${contradictory}” is also a tag to add. Choose one of the two.`
  }
  return ({ tags }) => {
    const current = tags?.split(',') ?? []
    const newTags = [...current, ...added].filter((tag) => !removed.has(tagKey(tag)))
    return { tags: parseTags(newTags.join()).join() } // parseTags removes repeated tags.
  }
}

function readExpiry({ values, errors }: FilledForm, now: number): NewValues {
  const text = toInstant(values['expires_at'] ?? '')
  const error = text === '' ? undefined : expiryError(text, now)
  if (error !== undefined) errors['expires_at'] = error
  return () => ({ expires_at: text })
}

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
