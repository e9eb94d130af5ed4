import type { FieldGroup, FieldKind, FieldSpec } from './field-spec.ts'

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

/** The fields that a request can set (spec §4.1), in the order of forms (docs/architecture.md says how to add one). */
export const LINK_FIELDS = {
  destination_url: {
    kind: 'url',
    label: 'Destination',
    description:
      'The URL that the short URL redirects to. Its length is counted after non-ASCII characters have been encoded.',
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
    description: 'Whether the utm_… parameters are added to the destination.',
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
  utm_content: utmParameter('content', 'which link of the campaign was clicked', 'header-button'),
  utm_id: utmParameter('ID', 'the ID of the campaign', 'abc.123'),
  domain: {
    kind: 'domain',
    label: 'Domain',
    description:
      'The name (ID) of a domain record. The short URL has this record’s domain_name as its hostname.',
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
    description: 'Whether the link has a custom preview, made of the preview_… fields.',
    whenOmitted: 'Default: false.',
    turnsOn: 'preview',
    isListed: true,
  },
  preview_title: {
    kind: 'text',
    label: 'Preview title',
    description: 'The title of the preview, which is shown where the link is posted.',
    hint: 'Shown instead of the page’s own title when the link is posted.',
    maxLength: 200,
    group: 'preview',
    isListed: true,
  },
  preview_description: {
    kind: 'lines',
    label: 'Preview description',
    description: 'The description in the preview, which is shown where the link is posted.',
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
      'When the link expires: a time with its offset, such as 2027-03-01T12:00:00Z, or a date such as 2027-03-01, which means the end of that day in UTC. Beyond the specification.',
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

/** Counts Unicode code points, as JSON Schema does, so 🎉 is one character. */
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

/** `fieldsWith({ group: 'qr' })` → `['qr_code_color']`. It compares all fields, so keep the result in a constant. */
export function fieldsWith<const Spec extends Partial<FieldSpec>>(spec: Spec): FieldWith<Spec>[] {
  const properties = Object.entries(spec) as [keyof FieldSpec, unknown][]
  return LINK_FIELD_NAMES.filter((name): name is FieldWith<Spec> =>
    properties.every(([property, value]) => FIELD_SPECS[name][property] === value),
  )
}

export function fieldsOfKind<Kind extends FieldKind>(...kinds: Kind[]): FieldOfKind<Kind>[] {
  return LINK_FIELD_NAMES.filter((name): name is FieldOfKind<Kind> =>
    kinds.some((kind) => kind === FIELD_SPECS[name].kind),
  )
}

export function without<Name extends LinkField, Excluded extends LinkField>(
  names: readonly Name[],
  excluded: readonly Excluded[],
): Exclude<Name, Excluded>[] {
  const excludedNames = new Set<LinkField>(excluded)
  return names.filter((name): name is Exclude<Name, Excluded> => !excludedNames.has(name))
}

const CHANGE_ONLY_FIELDS = fieldsWith({ isChangeOnly: true })

export const CREATE_FIELDS = without(LINK_FIELD_NAMES, CHANGE_ONLY_FIELDS)

export type CreateField = (typeof CREATE_FIELDS)[number]

export const OUR_CREATE_FIELDS = without(fieldsWith({ isOurs: true }), CHANGE_ONLY_FIELDS)

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
