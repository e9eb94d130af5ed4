import type { CreateField, UtmParameter } from '../../contract/link-fields.ts'
import type { LINES_BLOCKS } from '../ids.ts'

/** The label of each field, in forms and in error messages. */
export const FIELD_LABELS = {
  destination_url: 'Destination',
  domain: 'Domain',
  back_half: 'Back-half',
  title: 'Title',
  qr_code_enabled: 'QR code',
  qr_code_color: 'QR color',
  utm_analytics_enabled: 'UTM parameters',
  utm_source: 'UTM source',
  utm_medium: 'UTM medium',
  utm_campaign: 'UTM campaign',
  utm_term: 'UTM term',
  utm_content: 'UTM content',
  utm_id: 'UTM ID',
  is_custom_preview: 'Custom preview',
  preview_title: 'Preview title',
  preview_description: 'Preview description',
  preview_image: 'Preview image',
  expires_at: 'Expires',
  api_key: 'API key',
  domains: 'Domains',
  default_domain: 'Default domain',
  template: 'UTM template',
  template_name: 'Name',
  lower_case: 'Case',
  spaces: 'Spaces',
  allowed_sources: 'Allowed sources',
  allowed_mediums: 'Allowed mediums',
  may_shorten: 'Who can shorten links',
  may_change: 'Who can change a link',
  person: 'Member ID',
  erase_confirmed: 'Confirm',
  search_text: 'Search for',
} as const satisfies Record<CreateField, string> & Record<string, string>

/** Short names of the UTM parameters, without "UTM", for lists of their values. */
export const UTM_NAMES: Readonly<Record<UtmParameter, string>> = {
  utm_source: 'source',
  utm_medium: 'medium',
  utm_campaign: 'campaign',
  utm_term: 'term',
  utm_content: 'content',
  utm_id: 'ID',
}

/** Fields that take one item per line. A long list continues in a second input. */
export type LinesField = (typeof LINES_BLOCKS)[keyof typeof LINES_BLOCKS]

/** A field of a form. `domains_2` is the second input of `domains`. */
export type Field = keyof typeof FIELD_LABELS | `${LinesField}_${number}`

export function fieldLabel(field: Field): string {
  const [, name = field, number] = /^(.*?)(?:_(\d+))?$/.exec(field) ?? []
  const label = FIELD_LABELS[name as keyof typeof FIELD_LABELS]
  return number ? `${label} (${number})` : label
}

/**
 * The block_id of a field's input. As long as a block_id stays, Slack keeps what the user typed, even
 * over an initial value. An input that the app fills in therefore needs a new block_id.
 *
 * @param fillCount how many times the app has filled in the form
 */
export function blockIdOf(field: string, fillCount: number): string {
  return fillCount === 0 ? field : `${field}~${fillCount}`
}

/** The field of a block_id, however many times the app has filled in the form. */
export function fieldOf(blockId: string): string {
  return blockId.replace(/~\d+$/, '')
}
