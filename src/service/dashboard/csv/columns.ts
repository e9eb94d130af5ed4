import { UTM_PARAMETERS } from '../../../contract/create-request.ts'
import type { Addresses } from '../../store/addresses.ts'
import type { FoundLink } from '../../store/link-search.ts'
import { linkState } from '../../store/link-state.ts'

/** The columns with the fields of a create, named as in the API. */
export const LINK_COLUMNS = [
  'destination_url',
  'domain',
  'back_half',
  'title',
  'expires_at',
  'utm_analytics_enabled',
  ...UTM_PARAMETERS,
  'is_custom_preview',
  'preview_title',
  'preview_description',
  'qr_code_enabled',
  'qr_code_color',
] as const

/** The columns that an import reads. */
export const IMPORTED_COLUMNS = [...LINK_COLUMNS, 'enabled', 'owner_id'] as const

/** Further columns of an export. An import ignores them. */
export const INFORMATION_COLUMNS = [
  'owner',
  'shortlink_url',
  'state',
  'preview_image',
  'clicks',
  'created_at',
  'updated_at',
  'deleted_at',
  'name',
] as const

/** The columns that contain true or false. */
export const FLAG_COLUMNS: ReadonlySet<string> = new Set([
  'enabled',
  'utm_analytics_enabled',
  'is_custom_preview',
  'qr_code_enabled',
])

export const EXPORTED_COLUMNS = [...IMPORTED_COLUMNS, ...INFORMATION_COLUMNS]

/** A link as a row of an export. Of a deleted link, there is only what is left of it. */
export function toRow(link: FoundLink, addresses: Addresses, now: number): Record<string, string> {
  const isDeleted = link.deleted_at !== null
  const utm = Object.fromEntries(UTM_PARAMETERS.map((name) => [name, link[name] ?? '']))
  const row: Record<(typeof EXPORTED_COLUMNS)[number], string> = {
    destination_url: link.destination_url,
    domain: link.domain_id,
    back_half: link.back_half,
    title: link.title ?? '',
    expires_at: link.expires_at === null ? '' : time(link.expires_at),
    enabled: isDeleted ? '' : flag(link.enabled),
    utm_analytics_enabled: isDeleted ? '' : flag(link.utm_analytics_enabled),
    ...(utm as Record<(typeof UTM_PARAMETERS)[number], string>),
    is_custom_preview: isDeleted ? '' : flag(link.is_custom_preview),
    preview_title: link.preview_title ?? '',
    preview_description: link.preview_description ?? '',
    qr_code_enabled: isDeleted ? '' : flag(link.qr_code_enabled),
    qr_code_color: link.qr_code_color ?? '',
    owner_id: link.owner_id,
    owner: link.owner_name,
    shortlink_url: addresses.shortUrl(link),
    state: isDeleted ? 'deleted' : linkState(link, now),
    preview_image:
      link.preview_image_type === null
        ? ''
        : addresses.previewImageUrl(link, link.preview_image_type),
    clicks: isDeleted ? '' : String(link.people),
    created_at: time(link.created_at),
    updated_at: time(link.updated_at),
    deleted_at: link.deleted_at === null ? '' : time(link.deleted_at),
    name: link.id,
  }
  return row
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

function flag(value: number): string {
  return value === 1 ? 'true' : 'false'
}
