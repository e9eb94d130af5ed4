import { createHash } from 'node:crypto'
import {
  fieldsOfKind,
  OUR_CREATE_FIELDS,
  FIELD_SPECS,
  UTM_PARAMETERS,
  without,
  type LinkField,
} from '../../contract/link-fields.ts'
import { someFields, type FieldGroup } from '../../contract/field-spec.ts'
import type { UpdateRequest } from '../../contract/link-requests.ts'
import { tagKeys } from '../../contract/tags.ts'
import { backHalfOf, type LinkDetails, timeOf } from '../../port/links.ts'
import { isOnDomain, type DomainRecord } from '../../workspaces/connection.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { LIMITS } from '../block-kit/elements.ts'
import {
  type Draft,
  DRAFT_FIELDS,
  DRAFT_TEXTS,
  type DraftField,
  findDomain,
  isFilled,
} from '../shorten/draft.ts'
import { checkDraft, type DraftRules } from '../shorten/create-request.ts'
import { isPickable } from '../shorten/expiry.ts'

// The fields whose values are compared. Images aren't, because a file input can't show the link's image.
const COMPARED_FIELDS = without(DRAFT_FIELDS, fieldsOfKind('image'))

/** Turns a link into the draft that its edit form shows at first. */
export function toDraft(
  link: LinkDetails,
  domains: readonly DomainRecord[],
  offered: readonly LinkField[],
): Draft {
  const end = timeOf(link.expires_at)
  const shown = {
    ...link,
    back_half: backHalfOf(link),
    tags: link.tags?.join(', '),
    // The form shows the first domain if the link's own is not known.
    domain: (findLinkDomain(link, domains) ?? domains[0])?.name,
    // The form's time picker has whole seconds.
    expires_at: isPickable(end) ? new Date(Math.floor(end / 1000) * 1000).toISOString() : undefined,
  }
  const texts = someFields(DRAFT_TEXTS, (name) => {
    const text = offered.includes(name) ? shown[name]?.trim() : undefined
    return text && text.length <= LIMITS.inputText ? text : undefined
  })
  return { ...texts, qr_code_enabled: link.qr_code_enabled ?? false }
}

export function findLinkDomain(link: LinkDetails, domains: readonly DomainRecord[]) {
  const { domain } = link
  const url = new URL(link.shortlink_url)
  const record =
    domains.find(({ name }) => name === domain) ?? domains.find((other) => isOnDomain(url, other))
  if (record || domain === undefined) return record
  return { name: domain, domain_name: url.host } // The workspace doesn't have this domain.
}

const HASH_LENGTH = 8

/** Joins short hashes of all values of a form. Comparing two fingerprints shows which fields have changed. */
export function fingerprint(draft: Draft, domains: readonly DomainRecord[]): string {
  const compared = {
    ...draft,
    domain: findDomain(draft.domain, domains)?.name,
    tags: tagKeys(draft.tags ?? ''),
  }
  const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')
  return COMPARED_FIELDS.map((field) =>
    hash(String(compared[field] ?? '').trim()).slice(0, HASH_LENGTH),
  ).join('')
}

export function changedFields(before: string, after: string): DraftField[] {
  const hashAt = (hashes: string, index: number): string =>
    hashes.slice(index * HASH_LENGTH, (index + 1) * HASH_LENGTH)
  return COMPARED_FIELDS.filter((_field, index) => hashAt(before, index) !== hashAt(after, index))
}

export function shownValue(draft: Draft, field: DraftField): string {
  const value = field === 'preview_image' ? undefined : draft[field]
  if (FIELD_SPECS[field].kind === 'flag') return value ? 'on' : 'off'
  return value ? `“${value}”` : 'empty'
}

/**
 * Checks the fields that the user changed, and builds the request. Other fields aren't checked, because the user can't
 * be asked to correct values that the link already had.
 * @throws SlackInputError if a changed field has an error
 */
export function checkEdit(
  draft: Draft,
  touched: readonly DraftField[],
  { naming, destinations, ...rules }: DraftRules,
  keepsImage: boolean,
) {
  const has = (field: DraftField): boolean => touched.includes(field)
  const knownIssues = [...(rules.knownIssues ?? [])]
  if (has('back_half') && !draft.back_half) {
    const message = 'Enter a back-half. Every short link has one.'
    knownIssues.push({ field: 'back_half', message })
  }
  const { clearable } = rules.capabilities ?? {}
  for (const field of touched) {
    const canBeEmpty = clearable?.includes(field) ?? true
    if (canBeEmpty || draft[field] || FIELD_SPECS[field].isPermanent) continue
    const message = 'This workspace’s link service can’t empty this. Type another value.'
    knownIssues.push({ field, message })
  }
  const touchedRules = {
    ...rules,
    knownIssues,
    naming: {
      ...naming,
      sources: has('utm_source') ? naming.sources : [],
      mediums: has('utm_medium') ? naming.mediums : [],
    },
    destinations: has('destination_url') ? destinations : undefined,
  }
  // A changed destination is checked together with the UTM values, because it can contain others.
  const optional = [...OUR_CREATE_FIELDS, ...(has('destination_url') ? [] : UTM_PARAMETERS)]
  const untouched = new Set<string>(optional.filter((field) => !has(field)))
  const toCheck = Object.entries(draft).filter(([field]) => !untouched.has(field))
  const checked = checkDraft(Object.fromEntries(toCheck), touchedRules)
  // If the QR code is turned off, a new color is not sent.
  const edited = touched.filter((field) => field !== 'qr_code_color' || draft.qr_code_enabled)
  const isEdited = (group: FieldGroup): boolean =>
    edited.some((field) => FIELD_SPECS[field].group === group)
  return {
    changes: {
      ...someFields(edited, (field) =>
        field === 'preview_image' ? undefined : (checked[field] ?? ''),
      ),
      ...(isEdited('utm') && { utm_analytics_enabled: isFilled(draft, 'utm') }),
      ...(isEdited('preview') && { is_custom_preview: keepsImage || isFilled(draft, 'preview') }),
    } as Omit<UpdateRequest, 'preview_image'>,
    labels: edited.map((field) => FIELD_LABELS[field]),
  }
}
