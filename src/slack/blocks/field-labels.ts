import type { CreateField, UtmParameter } from '../../contract/create-request.ts'
import type { LINES_BLOCKS } from '../ids.ts'

/** What people call each field, in the forms and wherever something is wrong with one. */
export const FIELD_LABELS = {
  destination_url: 'Destination',
  domain: 'Domain',
  back_half: 'Back-half',
  title: 'Title',
  qr_code_enabled: 'QR code',
  qr_code_color: 'QR colour',
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
  api_key: 'API key',
  domains: 'Domains',
  default_domain: 'Default domain',
  template: 'UTM template',
  template_name: 'Name',
  lower_case: 'Case',
  spaces: 'Spaces',
  allowed_sources: 'Allowed sources',
  allowed_mediums: 'Allowed mediums',
  may_shorten: 'Who may shorten links',
} as const satisfies Record<CreateField, string> & Record<string, string>

/** Fields with one thing a line, which go on in another input where one is too short for all. */
export type LinesField = (typeof LINES_BLOCKS)[keyof typeof LINES_BLOCKS]

/** `domains_2` is the second input of the domains. */
export type Field = keyof typeof FIELD_LABELS | `${LinesField}_${number}`

export function fieldLabel(field: Field): string {
  const [, name = field, at] = /^(.*?)(?:_(\d+))?$/.exec(field) ?? []
  const label = FIELD_LABELS[name as keyof typeof FIELD_LABELS]
  return at ? `${label} (${at})` : label
}

/** UTM values, each with what it is called among others: `source`, `ID`. */
export function namedUtm(values: { [name in UtmParameter]?: string | undefined }): {
  name: string
  value: string
}[] {
  return (Object.keys(values) as UtmParameter[]).flatMap((parameter) => {
    const value = values[parameter]
    return value ? [{ name: FIELD_LABELS[parameter].slice('UTM '.length), value }] : []
  })
}
