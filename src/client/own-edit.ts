import { UTM_PARAMETERS } from '../contract/link-fields.ts'
import type { UpdateRequest } from '../contract/link-requests.ts'
import { parseExpiresAt } from '../contract/expiry.ts'
import { backHalfOf, type LinkDetails } from './link-details.ts'
import { timeOf } from './responses.ts'

/**
 * Whether a link is as an edit wanted it, so that an edit whose answer got lost must have been done. False
 * if that can't be known: an uploaded image can't be compared, and a service may not show every field.
 */
export function isApplied(changes: UpdateRequest, link: LinkDetails): boolean {
  return Object.entries(changes).every(([name, wanted]) => {
    if (wanted === undefined) return true
    const test = TESTS[name as keyof UpdateRequest] as (wanted: unknown, l: LinkDetails) => boolean
    return test(wanted, link)
  })
}

type Tests = {
  [name in keyof UpdateRequest]-?: (
    wanted: NonNullable<UpdateRequest[name]>,
    link: LinkDetails,
  ) => boolean
}

/** A text is the same if it differs only in white space around it; empty: absent. */
const sameText =
  (name: keyof UpdateRequest & keyof LinkDetails) =>
  (wanted: string, link: LinkDetails): boolean =>
    String(link[name] ?? '').trim() === wanted.trim()

const sameFlag =
  (name: keyof UpdateRequest & keyof LinkDetails) =>
  (wanted: boolean, link: LinkDetails): boolean =>
    link[name] === wanted

const TESTS: Tests = {
  destination_url: (wanted, link) =>
    URL.parse(link.destination_url)?.href === URL.parse(wanted)?.href,
  domain: sameText('domain'),
  back_half: (wanted, link) => backHalfOf(link) === wanted.trim(),
  title: sameText('title'),
  utm_analytics_enabled: sameFlag('utm_analytics_enabled'),
  ...(Object.fromEntries(UTM_PARAMETERS.map((name) => [name, sameText(name)])) as Pick<
    Tests,
    (typeof UTM_PARAMETERS)[number]
  >),
  is_custom_preview: sameFlag('is_custom_preview'),
  preview_title: sameText('preview_title'),
  preview_description: sameText('preview_description'),
  preview_image: (wanted, link) => wanted === '' && link.preview_image === undefined,
  qr_code_enabled: sameFlag('qr_code_enabled'),
  qr_code_color: (wanted, link) =>
    (link.qr_code_color ?? '').toLowerCase() === wanted.toLowerCase(),
  enabled: sameFlag('enabled'),
  expires_at: (wanted, link) =>
    wanted === ''
      ? link.expires_at === undefined
      : Math.abs(timeOf(link.expires_at) - (parseExpiresAt(wanted) ?? NaN)) <= ROUNDING_MS,
}

/** Services may store whole seconds, or end a day at its last millisecond. */
const ROUNDING_MS = 1_000
