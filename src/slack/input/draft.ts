import { UTM_PARAMETERS, type UtmParameter } from '../../contract/create-request.ts'
import { FIELD_LABELS } from '../blocks/field-labels.ts'

/** An image that somebody uploaded to Slack: what a redrawn form needs to keep it. */
export interface KeptImage {
  id: string
  name: string
}

/**
 * A link as a person typed it, in a command or in the form, checked for nothing yet. Text is
 * trimmed, and a field that was left empty is absent. Members are named as the create request's.
 */
export interface Draft extends Partial<Record<UtmParameter, string>> {
  destination_url?: string
  /** A domain record's id or its hostname. */
  domain?: string
  back_half?: string
  title?: string
  preview_title?: string
  preview_description?: string
  preview_image?: KeptImage
  /**
   * The conversation that was chosen for the answer; null where the choice was left empty, absent
   * where nobody was asked yet.
   */
  conversation?: string | null
  /** Absent where nobody said, and the workspace's settings decide. */
  qr_code_enabled?: boolean
  qr_code_color?: string
  /** The name of a UTM template, in any case. */
  template?: string
}

/** The UTM parameters that are filled in. */
export function utmOf(
  values: Readonly<{ [name in UtmParameter]?: string | undefined }>,
): Partial<Record<UtmParameter, string>> {
  return Object.fromEntries(
    UTM_PARAMETERS.flatMap((name) => {
      const value = values[name]
      return value ? [[name, value]] : []
    }),
  )
}

/** Everything that was typed, by the labels of the form, to be copied from. */
export function draftInWords(draft: Draft): string {
  return Object.entries(FIELD_LABELS)
    .flatMap(([field, label]) => {
      const value = draft[field as keyof Draft]
      return typeof value === 'string' ? [`${label}: ${value}`] : []
    })
    .join('\n')
}
