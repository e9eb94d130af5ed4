import { parseExpiresAt } from '../../contract/expiry.ts'
import { CREATE_FIELDS, fieldsOfKind, GROUP_FLAGS, without } from '../../contract/link-fields.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'

/** An image that the user uploaded to Slack: what a rebuilt form needs to keep it. */
export interface UploadedImage {
  id: string
  name: string
}

/** Groups that users don't turn on. They are on if any of their fields is filled in. */
export const IMPLIED_GROUPS = ['utm', 'preview'] as const

/** The fields that users fill in, in their order. */
export const DRAFT_FIELDS = without(
  CREATE_FIELDS,
  IMPLIED_GROUPS.map((group) => GROUP_FLAGS[group]),
)

export type DraftField = (typeof DRAFT_FIELDS)[number]

/** Those that a draft has as text. A domain is a record's ID or its hostname; a time is what `parseExpiry` reads. */
export const DRAFT_TEXTS = without(DRAFT_FIELDS, fieldsOfKind('flag', 'image'))

export type DraftText = (typeof DRAFT_TEXTS)[number]

/**
 * A link as the user typed it, in a command or in the form, before any check. Text is trimmed, and empty
 * fields are absent. The fields are named as in the create request.
 */
export interface Draft extends Partial<Record<DraftText, string>> {
  preview_image?: UploadedImage
  /** Whether to remove the image that a link has. */
  remove_image?: boolean
  /** The conversation chosen for the answer; null if left empty, absent if the form did not ask. */
  conversation?: string | null
  /** Absent if the workspace's settings decide. */
  qr_code_enabled?: boolean
  /** The name of a UTM template, in any case. */
  template?: string
}

/** Everything that the user typed, with the labels of the form, to be copied. */
export function draftText(draft: Draft): string {
  return [...DRAFT_TEXTS, 'template' as const]
    .flatMap((field) => (draft[field] ? [`${FIELD_LABELS[field]}: ${draft[field]}`] : []))
    .join('\n')
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MINUTE_MS = 60_000

const UNITS: Record<string, number> = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }

/** Slack's picker takes times whose seconds since 1970 have ten digits: from 2001 to 2286. In milliseconds. */
const PICKABLE = { start: 1_000_000_000_000, end: 10_000_000_000_000 }

/** Whether Slack's picker can show a time. @param time milliseconds since 1970 */
export function isPickable(time: number): boolean {
  return time >= PICKABLE.start && time < PICKABLE.end
}

/** When a link expires, in milliseconds since 1970, or why that can't be. */
type Expiry = { expiresAt: number } | { message: string }

/**
 * Reads when a link expires: after hours, days or weeks (`12h`, `30d`, `2w`), at the end of a day in UTC
 * (`2026-12-24`), or at an ISO 8601 instant, which the form sends.
 *
 * @param now milliseconds since 1970
 */
export function parseExpiry(text: string, now: number): Expiry {
  const [, count, unit = ''] = /^(\d{1,4})\s*([hdw])$/i.exec(text) ?? []
  const length = Number(count) * (UNITS[unit.toLowerCase()] ?? NaN)
  // Whole minutes, so that a request that Slack sends twice is the same request.
  if (length > 0) return { expiresAt: Math.ceil((now + length) / MINUTE_MS) * MINUTE_MS }
  const expiresAt = parseExpiresAt(text)
  if (expiresAt === undefined) {
    return { message: 'Type when the link expires, such as 12h, 30d, 2w or 2030-12-24.' }
  }
  if (expiresAt >= PICKABLE.end)
    return { message: 'This is too far in the future. Choose an earlier year.' }
  return expiresAt > now ? { expiresAt } : { message: 'This is in the past. Choose a later time.' }
}
