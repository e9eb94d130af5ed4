import { parseExpiresAt } from '../../contract/expiry.ts'
import { eachField, someFields } from '../../contract/field-spec.ts'
import {
  fieldsOfKind,
  LINK_FIELD_NAMES,
  FIELD_SPECS,
  type FieldOfKind,
  type LinkField,
} from '../../contract/link-fields.ts'
import type { UpdateRequest } from '../../contract/link-requests.ts'
import { parseTags, tagKeys } from '../../contract/tags.ts'
import type { LinkFieldColumns, LinksTable } from '../../database/links-table.ts'

export const EMPTY_FIELDS: LinkFieldColumns = {
  ...eachField(fieldsOfKind('text', 'lines', 'tags', 'color', 'instant'), () => null),
  ...eachField(fieldsOfKind('flag'), () => 0),
  destination_url: '',
  enabled: 1,
}

const STORED_FIELDS = Object.keys(EMPTY_FIELDS) as (keyof LinkFieldColumns)[]

/** Converts fields of a request to columns: `{ enabled: false, title: '' }` → `{ enabled: 0, title: null }`. */
export function toColumns(request: UpdateRequest): Partial<LinkFieldColumns> {
  return someFields(STORED_FIELDS, (name) => {
    const value = request[name]
    return value === undefined ? undefined : columnValue(name, value)
  }) as Partial<LinkFieldColumns>
}

function columnValue(name: LinkField, value: string | boolean): string | number | null {
  if (typeof value === 'boolean') return Number(value)
  const { kind } = FIELD_SPECS[name]
  if (kind === 'instant') return parseExpiresAt(value) ?? null
  if (kind === 'tags') return parseTags(value).join() || null
  return kind === 'url' ? new URL(value).href : value || null
}

type FieldValues = {
  [Name in LinkField]: Name extends FieldOfKind<'flag'>
    ? boolean
    : Name extends FieldOfKind<'url' | 'domain' | 'back_half'>
      ? string
      : string | null
}

export function fieldValues(link: LinksTable): FieldValues {
  return eachField(LINK_FIELD_NAMES, (name) => fieldValue(link, name)) as FieldValues
}

/** Returns true if `text`, typed into the field, means the value that the link already has. */
export function isUnchanged(link: LinksTable, name: LinkField, text: string): boolean {
  const { kind } = FIELD_SPECS[name]
  if (kind === 'url') return URL.parse(text)?.href === link.destination_url
  if (kind === 'instant') return (text === '' ? null : parseExpiresAt(text)) === link.expires_at
  const value = String(fieldValue(link, name) ?? '')
  return kind === 'tags' ? tagKeys(text) === tagKeys(value) : text === value
}

function fieldValue(link: LinksTable, name: LinkField): string | boolean | null {
  if (name === 'domain') return link.domain_id
  if (name === 'preview_image') return link.preview_image_type
  const value = link[name]
  if (name === 'tags') return shownTags(link.tags)
  if (typeof value !== 'number') return value
  return FIELD_SPECS[name].kind === 'flag' ? value === 1 : new Date(value).toISOString()
}

export function shownTags(tags: string | null): string | null {
  return tags?.replaceAll(',', ', ') ?? null // “news,q3” → “news, q3”
}
