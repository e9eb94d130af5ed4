import type { CreateField } from '../../contract/create-request.ts'

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
} as const satisfies Record<CreateField | 'api_key' | 'domains', string>

export type Field = keyof typeof FIELD_LABELS
