import { createHash } from 'node:crypto'
import { backHalfOf, type LinkDetails } from '../../client/link-details.ts'
import { timeOf } from '../../client/responses.ts'
import { UTM_PARAMETERS, type CreateField } from '../../contract/link-fields.ts'
import type { UpdateRequest } from '../../contract/link-requests.ts'
import { isOnDomain, type DomainRecord } from '../../workspaces/connection.ts'
import type { NamingRules } from '../../workspaces/settings.ts'
import { utmOf } from '../../workspaces/utm.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { checkDraft, indexOfDomain } from '../shorten/create-request.ts'
import type { Draft } from '../shorten/draft.ts'
import { isPickable } from '../shorten/expiry.ts'

/** The fields of the form whose values are compared, in the order of the fingerprint. Don't reorder them. */
const FIELDS = [
  'destination_url',
  'domain',
  'back_half',
  'title',
  'qr_code_enabled',
  'qr_code_color',
  'expires_at',
  ...UTM_PARAMETERS,
  'preview_title',
  'preview_description',
] as const

export type EditedField = (typeof FIELDS)[number] | 'preview_image'

/**
 * A link as the form shows it.
 *
 * @param hasExpiry whether the form asks when the link expires
 */
export function draftOf(
  link: LinkDetails,
  domains: readonly DomainRecord[],
  { hasExpiry }: { hasExpiry: boolean },
): Draft {
  const { title, preview_title, preview_description, qr_code_color, expires_at } = link
  const end = timeOf(expires_at)
  const texts = {
    destination_url: link.destination_url,
    back_half: backHalfOf(link),
    title,
    preview_title,
    preview_description,
    qr_code_color,
    ...utmOf(link),
    // The form shows the first domain if the link's own is not known.
    domain: (domainOf(link, domains) ?? domains[0])?.name,
    // The form knows no parts of a second.
    expires_at:
      hasExpiry && isPickable(end) ? new Date(Math.floor(end / 1000) * 1000).toISOString() : '',
  }
  const shown = Object.entries(texts).filter(
    ([, text]) => text !== undefined && text.trim() !== '' && text.length <= LIMITS.inputText,
  )
  return { ...(Object.fromEntries(shown) as Draft), qr_code_enabled: link.qr_code_enabled ?? false }
}

/** The domain record of a link: the workspace's, or else the link's own. */
export function domainOf(
  { domain, shortlink_url }: LinkDetails,
  domains: readonly DomainRecord[],
): DomainRecord | undefined {
  const url = new URL(shortlink_url)
  const found =
    domains.find(({ name }) => name === domain) ?? domains.find((one) => isOnDomain(url, one))
  return found ?? (domain === undefined ? undefined : { name: domain, domain_name: url.host })
}

/** How many characters of a value's hash are kept. */
const HASH_LENGTH = 8

/** A hash of each value of a form, by which a later form shows what the user changed. */
export function fingerprint(draft: Draft, domains: readonly DomainRecord[]): string {
  return FIELDS.map((field) =>
    createHash('sha256')
      .update(valueOf(draft, field, domains))
      .digest('base64url')
      .slice(0, HASH_LENGTH),
  ).join('')
}

/** The fields whose values differ between two fingerprints. */
export function differences(one: string, other: string): EditedField[] {
  const hashOf = (text: string, index: number): string =>
    text.slice(index * HASH_LENGTH, (index + 1) * HASH_LENGTH)
  return FIELDS.filter((_field, index) => hashOf(one, index) !== hashOf(other, index))
}

function valueOf(
  draft: Draft,
  field: (typeof FIELDS)[number],
  domains: readonly DomainRecord[],
): string {
  if (field === 'domain') return domains[indexOfDomain(draft.domain, domains)]?.name ?? ''
  return String(draft[field] ?? '').trim()
}

/** A value as an explanation shows it. */
export function shownValue(draft: Draft, field: EditedField): string {
  if (field === 'qr_code_enabled') return draft.qr_code_enabled ? 'on' : 'off'
  const value = field === 'preview_image' ? undefined : draft[field]
  return value ? `“${value}”` : 'empty'
}

/** A change to send, apart from the image. */
export interface Edit {
  changes: Omit<UpdateRequest, 'preview_image'>
  /** The labels of what the user changed. */
  labels: string[]
}

/**
 * What the user changed in the form, checked. What they did not touch is not checked, because the link already
 * has it.
 *
 * @param touched the fields that the user changed
 * @param keepsImage whether the link has an image that stays
 * @param expiry absent if the form does not ask when the link expires. `now`: milliseconds since 1970
 * @throws SlackInputError with each issue at its field
 */
export function editOf(
  draft: Draft,
  touched: readonly EditedField[],
  {
    domains,
    naming,
    keepsImage,
    expiry,
  }: {
    domains: readonly DomainRecord[]
    naming: NamingRules
    keepsImage: boolean
    expiry?: { now: number } | undefined
  },
): Edit {
  const has = (field: EditedField): boolean => touched.includes(field)
  if (has('back_half') && !draft.back_half) {
    const message = 'Enter a back-half. Every short link has one.'
    throw new SlackInputError([{ field: 'back_half', message }])
  }
  const rules = {
    ...naming,
    sources: has('utm_source') ? naming.sources : [],
    mediums: has('utm_medium') ? naming.mediums : [],
  }
  const untouched = [
    ...(has('destination_url') ? [] : UTM_PARAMETERS),
    'expires_at' as const,
  ].filter((field) => !has(field))
  const { qr_code_enabled = false, ...rest } = draft
  const toCheck = Object.fromEntries(
    Object.entries(rest).filter(([field]) => !untouched.some((name) => name === field)),
  )
  const checked = checkDraft({ ...toCheck, qr_code_enabled }, domains, rules, expiry)
  // Without a QR code, its color says nothing.
  const edited = touched.filter((field) => field !== 'qr_code_color' || qr_code_enabled)
  const texts = edited.flatMap((field) =>
    field === 'preview_image' || field === 'qr_code_enabled' ? [] : [[field, checked[field] ?? '']],
  )
  const { preview_title, preview_description, preview_image } = draft
  const hasPreview = keepsImage || Boolean(preview_title ?? preview_description ?? preview_image)
  return {
    changes: {
      ...(Object.fromEntries(texts) as Edit['changes']),
      ...(has('qr_code_enabled') && { qr_code_enabled }),
      ...(edited.some((field) => field.startsWith('utm_')) && {
        utm_analytics_enabled: Object.keys(utmOf(draft)).length > 0,
      }),
      ...(edited.some((field) => field.startsWith('preview_')) && {
        is_custom_preview: hasPreview,
      }),
    },
    labels: edited.map((field) => FIELD_LABELS[field as CreateField]),
  }
}
