import { CREATE_FIELDS, fieldsOfKind, GROUP_FLAGS, without } from '../../contract/link-fields.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import type { UploadedFile } from '../platform/slack-files.ts'

/** Users don't turn these groups on. A group is on if any of its fields is filled in. */
export const IMPLIED_GROUPS = ['utm', 'preview'] as const

export const DRAFT_FIELDS = without(
  CREATE_FIELDS,
  IMPLIED_GROUPS.map((group) => GROUP_FLAGS[group]),
)

export type DraftField = (typeof DRAFT_FIELDS)[number]

/** A domain is a record's ID or its hostname; a time is what `parseExpiry` reads. */
export const DRAFT_TEXTS = without(DRAFT_FIELDS, fieldsOfKind('flag', 'image'))

export type DraftText = (typeof DRAFT_TEXTS)[number]

/** A link as the user typed it, before any check. Text is trimmed, and empty fields are absent. */
export interface Draft extends Partial<Record<DraftText, string>> {
  preview_image?: UploadedFile
  remove_image?: boolean
  allows_duplicate?: boolean
  /** Null if left empty; absent if the form did not ask. */
  conversation?: string | null
  /** Absent if the workspace's settings decide. */
  qr_code_enabled?: boolean
  template?: string
}

export function draftText(draft: Draft): string {
  return [...DRAFT_TEXTS, 'template' as const]
    .flatMap((field) => (draft[field] ? [`${FIELD_LABELS[field]}: ${draft[field]}`] : []))
    .join('\n')
}
