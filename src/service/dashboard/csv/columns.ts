import { CREATE_FIELDS, eachField, fieldsOfKind, without } from '../../../contract/link-fields.ts'
import type { Addresses } from '../../store/addresses.ts'
import type { FoundLink } from '../../store/link-search.ts'
import { linkState } from '../../store/links.ts'
import { fieldValues } from '../../store/link-values.ts'

/** The columns with the fields of a create, named as in the API. */
export const LINK_COLUMNS = without(CREATE_FIELDS, fieldsOfKind('image'))

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
export const FLAG_COLUMNS: ReadonlySet<string> = new Set(fieldsOfKind('flag'))

export const EXPORTED_COLUMNS = [...IMPORTED_COLUMNS, ...INFORMATION_COLUMNS]

/** A link as a row of an export. Of a deleted link, there is only what is left of it. */
export function toRow(link: FoundLink, addresses: Addresses, now: number): Record<string, string> {
  const isDeleted = link.deleted_at !== null
  const values = fieldValues(link)
  const row: Record<(typeof EXPORTED_COLUMNS)[number], string> = {
    ...eachField([...LINK_COLUMNS, 'enabled'], (name) => {
      const value = values[name]
      return value === null || (isDeleted && typeof value === 'boolean') ? '' : String(value)
    }),
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
