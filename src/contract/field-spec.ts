/** What decides a field's column, schemas and inputs. */
export type FieldKind = TextKind | 'flag' | 'color' | 'image' | 'instant'

// Kinds whose value is a string. A `text` has one line, and `lines` can have several. `tags` are joined by commas.
type TextKind = 'url' | 'domain' | 'back_half' | 'text' | 'lines' | 'tags'

/**
 * Fields that take effect only if a flag of the link is true. For example, the group `utm` has the fields `utm_source`,
 * `utm_medium` and so on, and its flag is `utm_analytics_enabled`.
 */
export type FieldGroup = 'utm' | 'preview' | 'qr'

/** What the table of link fields (link-fields.ts) says about one field. */
export interface FieldSpec {
  readonly kind: FieldKind
  readonly label: string
  readonly description: string
  // What a new link gets if a request doesn't set the field.
  readonly whenOmitted?: string
  readonly example?: string
  readonly hint?: string
  // In characters (`countCharacters`) of the stored form. The specification has no limits, so these are ours.
  readonly maxLength?: number
  readonly pattern?: string
  // A field of a group has `group`. The flag that turns the group on has `turnsOn`.
  readonly group?: FieldGroup
  readonly turnsOn?: FieldGroup
  readonly isRequired?: true
  // Every link has a value, so a change can't clear the field.
  readonly isPermanent?: true
  readonly isChangeOnly?: true
  // Every response about a link has the field. The other fields are only in the response about a single link.
  readonly isListed?: true
  // Beyond the specification.
  readonly isOurs?: true
  // The name of the field's option in `/shorten`.
  readonly option?: string
}
