/** The kind of a field decides its column, its schemas and its inputs. An `instant` is sent as ISO 8601. */
export type FieldKind = TextKind | 'flag' | 'color' | 'image' | 'instant'

/** A `text` has one line, and `lines` can have several. `tags` are one text with commas (tags.ts). */
type TextKind = 'url' | 'domain' | 'back_half' | 'text' | 'lines' | 'tags'

/** Fields that take effect only if a flag is true: for `utm`, it is the field with `turnsOn: 'utm'`. */
export type FieldGroup = 'utm' | 'preview' | 'qr'

interface FieldSpec {
  readonly kind: FieldKind
  readonly label: string
  readonly description: string
  readonly whenOmitted?: string
  readonly example?: string
  readonly hint?: string
  /**
   * In characters (`countCharacters`). A URL is counted in its stored form. The limits are ours, because the
   * specification has none.
   */
  readonly maxLength?: number
  readonly pattern?: string
  readonly group?: FieldGroup
  readonly turnsOn?: FieldGroup
  readonly isRequired?: true
  readonly isPermanent?: true
  readonly isChangeOnly?: true
  readonly isListed?: true
  readonly isOurs?: true
  readonly option?: string
}

function utmParameter(name: string, meaning: string, example: string) {
  return {
    kind: 'text',
    label: `UTM ${name}`,
    description: `UTM ${name}: ${meaning}.`,
    example,
    maxLength: 255,
    group: 'utm',
    option: `utm_${name.toLowerCase()}`,
  } as const
}

/**
 * The fields of a link that a request can set (spec §4.1), in the order in which forms and exports show them.
 * This is the only list of them: everything else is derived from it (docs/architecture.md, “How to add a field
 * of a link”).
 */
export const LINK_FIELDS = {
  destination_url: {
    kind: 'url',
    label: 'Destination',
    description:
      'The URL that the short URL redirects to. The limit applies to the URL once other characters than ASCII are encoded.',
    example: 'https://example.com/some/long/page',
    maxLength: 2_000,
    isRequired: true,
    isPermanent: true,
    isListed: true,
  },
  back_half: {
    kind: 'back_half',
    label: 'Back-half',
    description: 'The path of the short URL.',
    whenOmitted: 'If it is omitted, the service generates one.',
    example: 'spring-sale',
    hint: 'The end of the short link. Generated if left empty.',
    pattern: '^[A-Za-z0-9_-]{1,100}$',
    isPermanent: true,
  },
  utm_analytics_enabled: {
    kind: 'flag',
    label: 'UTM parameters',
    description: 'Whether the utm_… fields take effect.',
    whenOmitted: 'Default: false.',
    turnsOn: 'utm',
  },
  utm_source: utmParameter('source', 'the origin of visitors, such as newsletter', 'newsletter'),
  utm_medium: utmParameter('medium', 'the channel, such as email', 'email'),
  utm_campaign: utmParameter(
    'campaign',
    'the name of the campaign, such as spring-sale',
    'spring-sale',
  ),
  utm_term: utmParameter('term', 'the keyword of a paid search', 'running shoes'),
  utm_content: utmParameter('content', 'distinguishes the links of a campaign', 'header-button'),
  utm_id: utmParameter('ID', 'the ID of the campaign', 'abc.123'),
  domain: {
    kind: 'domain',
    label: 'Domain',
    description: 'The name (ID) of a domain record. Its domain_name is the short URL’s hostname.',
    example: 'go.example.com',
    maxLength: 100,
    isRequired: true,
    isPermanent: true,
    option: 'domain',
  },
  title: {
    kind: 'text',
    label: 'Title',
    description: 'A title by which people recognize the link.',
    example: 'Spring sale',
    maxLength: 200,
    isListed: true,
    option: 'title',
  },
  tags: {
    kind: 'tags',
    label: 'Tags',
    description:
      'Up to 10 tags, separated by commas. A tag has at most 40 characters: letters of any script, digits, spaces, - and _. Tags that differ only in case are the same. Beyond the specification.',
    example: 'spring,print',
    hint: 'Separated by commas.',
    isListed: true,
    isOurs: true,
    option: 'tags',
  },
  is_custom_preview: {
    kind: 'flag',
    label: 'Custom preview',
    description: 'Whether the preview_… fields take effect.',
    whenOmitted: 'Default: false.',
    turnsOn: 'preview',
    isListed: true,
  },
  preview_title: {
    kind: 'text',
    label: 'Preview title',
    description: 'The preview’s title, shown where the link is posted.',
    hint: 'Shown instead of the page’s own title when the link is posted.',
    maxLength: 200,
    group: 'preview',
    isListed: true,
  },
  preview_description: {
    kind: 'lines',
    label: 'Preview description',
    description: 'The preview’s description, shown where the link is posted.',
    maxLength: 500,
    group: 'preview',
    isListed: true,
  },
  preview_image: {
    kind: 'image',
    label: 'Preview image',
    description: 'An image whose file name ends in .jpeg, .jpg, .png or .svg, at most 500 KB.',
    group: 'preview',
    isListed: true,
  },
  qr_code_enabled: {
    kind: 'flag',
    label: 'QR code',
    description: 'Whether the link has a QR code.',
    whenOmitted: 'Default: false.',
    turnsOn: 'qr',
    isListed: true,
    option: 'qr',
  },
  qr_code_color: {
    kind: 'color',
    label: 'QR color',
    description: 'The color of the QR code.',
    example: '#1F4F46',
    group: 'qr',
    option: 'color',
  },
  expires_at: {
    kind: 'instant',
    label: 'Expires',
    description:
      'When the link expires: an instant (ISO 8601), or a date, which means the end of that day in UTC. Beyond the specification.',
    whenOmitted: 'Default: never.',
    isListed: true,
    isOurs: true,
    option: 'expires',
  },
  enabled: {
    kind: 'flag',
    label: 'Turned on',
    description: 'Whether the link is turned on. If not, its short URL doesn’t redirect.',
    isPermanent: true,
    isChangeOnly: true,
    isListed: true,
    isOurs: true,
  },
} as const satisfies Record<string, FieldSpec>

/** Counts Unicode code points, as JSON Schema does: an emoji such as 🎉 is one. */
export function countCharacters(text: string): number {
  return Array.from(text).length
}

type Fields = typeof LINK_FIELDS

export type LinkField = keyof Fields

export type KindOf<Name extends LinkField> = Fields[Name]['kind']

export type FieldWith<Spec> = {
  [Name in LinkField]: Fields[Name] extends Spec ? Name : never
}[LinkField]

export type FieldOfKind<Kind extends FieldKind> = FieldWith<{ kind: Kind }>

export const LINK_FIELD_NAMES = Object.keys(LINK_FIELDS) as LinkField[]

export function isLinkField(name: string): name is LinkField {
  return Object.hasOwn(LINK_FIELDS, name)
}

export const FIELD_SPECS: Readonly<Record<LinkField, FieldSpec>> = LINK_FIELDS

/**
 * Returns the names of the fields that have certain properties: `fieldsWith({ group: 'qr' })` → `['qr_code_color']`.
 * Call it while a file loads, not for each request, because it compares all fields.
 */
export function fieldsWith<const Spec extends Partial<FieldSpec>>(wanted: Spec): FieldWith<Spec>[] {
  const properties = Object.entries(wanted) as [keyof FieldSpec, unknown][]
  return LINK_FIELD_NAMES.filter((name): name is FieldWith<Spec> =>
    properties.every(([property, value]) => FIELD_SPECS[name][property] === value),
  )
}

export function fieldsOfKind<Kind extends FieldKind>(...kinds: Kind[]): FieldOfKind<Kind>[] {
  return LINK_FIELD_NAMES.filter((name): name is FieldOfKind<Kind> =>
    kinds.some((kind) => kind === FIELD_SPECS[name].kind),
  )
}

export function eachField<Name extends LinkField, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>
}

export function someFields<Name extends LinkField, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value | undefined,
): Partial<Record<Name, Value>> {
  const values = names.map((name) => [name, valueOf(name)] as const)
  const defined = values.filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as Partial<Record<Name, Value>>
}

export function without<Name extends LinkField, Left extends LinkField>(
  names: readonly Name[],
  left: readonly Left[],
): Exclude<Name, Left>[] {
  const leftOut: readonly LinkField[] = left
  return names.filter((name): name is Exclude<Name, Left> => !leftOut.includes(name))
}

export const CREATE_FIELDS = without(LINK_FIELD_NAMES, fieldsWith({ isChangeOnly: true }))

export type CreateField = (typeof CREATE_FIELDS)[number]

export const OUR_CREATE_FIELDS = without(
  fieldsWith({ isOurs: true }),
  fieldsWith({ isChangeOnly: true }),
)

export const UTM_PARAMETERS = fieldsWith({ group: 'utm' })

export const GROUP_FIELDS = {
  utm: UTM_PARAMETERS,
  preview: fieldsWith({ group: 'preview' }),
  qr: fieldsWith({ group: 'qr' }),
} satisfies Record<FieldGroup, unknown>

export type UtmParameter = (typeof UTM_PARAMETERS)[number]

export const GROUP_FLAGS = {
  utm: 'utm_analytics_enabled',
  preview: 'is_custom_preview',
  qr: 'qr_code_enabled',
} as const satisfies { [Group in FieldGroup]: FieldWith<{ turnsOn: Group }> }

export const FIELD_GROUPS = Object.keys(GROUP_FLAGS) as FieldGroup[]
