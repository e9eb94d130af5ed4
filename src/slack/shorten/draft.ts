import type { UtmValues } from '../../workspaces/utm.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'

/** An image that the user uploaded to Slack: what a rebuilt form needs to keep it. */
export interface UploadedImage {
  id: string
  name: string
}

/**
 * A link as the user typed it, in a command or in the form, before any check. Text is trimmed, and empty
 * fields are absent. The fields are named as in the create request.
 */
export interface Draft extends UtmValues {
  destination_url?: string
  /** A domain record's ID or its hostname. */
  domain?: string
  back_half?: string
  title?: string
  preview_title?: string
  preview_description?: string
  preview_image?: UploadedImage
  /** Whether to remove the image that a link has. */
  remove_image?: boolean
  /** The conversation chosen for the answer; null if left empty, absent if the form did not ask. */
  conversation?: string | null
  /** Absent if the workspace's settings decide. */
  qr_code_enabled?: boolean
  qr_code_color?: string
  /** When the link expires, as `parseExpiry` reads it. */
  expires_at?: string
  /** The name of a UTM template, in any case. */
  template?: string
}

/** Everything that the user typed, with the labels of the form, to be copied. */
export function draftText(draft: Draft): string {
  return Object.entries(FIELD_LABELS)
    .flatMap(([field, label]) => {
      const value = draft[field as keyof Draft]
      return typeof value === 'string' ? [`${label}: ${value}`] : []
    })
    .join('\n')
}
