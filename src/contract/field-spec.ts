/** What decides a field's column, schemas and inputs. */
export type FieldKind = TextKind | 'flag' | 'color' | 'image' | 'instant'

// Kinds whose value is a string. A `text` has one line, and `lines` can have several. `tags` are joined by commas.
type TextKind = 'url' | 'domain' | 'back_half' | 'text' | 'lines' | 'tags'

/** The fields of a group, such as `utm_source`, take effect only if its flag (`utm_analytics_enabled`) is true. */
export type FieldGroup = 'utm' | 'preview' | 'qr'

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
  readonly group?: FieldGroup
  // Set for the flag of a group.
  readonly turnsOn?: FieldGroup
  readonly isRequired?: true
  // Every link has a value, so a change can't clear the field.
  readonly isPermanent?: true
  readonly isChangeOnly?: true
  // Every response about a link has the field. The other fields are only in the response about a single link.
  readonly isListed?: true
  // Beyond the specification.
  readonly isOurs?: true
  // The field's option in `/shorten`.
  readonly option?: string
}

export function eachField<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>
}

export function someFields<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value | undefined,
): Partial<Record<Name, Value>> {
  const values = names.map((name) => [name, valueOf(name)] as const)
  const defined = values.filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as Partial<Record<Name, Value>>
}
