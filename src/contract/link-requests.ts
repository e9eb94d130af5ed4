import { z } from 'zod'
import {
  CREATE_FIELDS,
  LINK_FIELD_NAMES,
  specOf,
  type CreateField,
  type FieldKind,
  type FieldWith,
  type KindOf,
  type LinkField,
} from './link-fields.ts'
import type { ImageFile } from './preview-image.ts'

/** A color in the form `#RRGGBB` (spec §4.1, qr_code_color). */
export const hexColor = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Use a color in the form #RRGGBB.')

const required = z.string().min(1)

/** The values of a create. Flags are sent as the text `true` or `false` (spec §4.1: all text fields are strings). */
const CREATED = {
  url: required,
  domain: required,
  back_half: z.string(),
  text: z.string(),
  lines: z.string(),
  flag: z.codec(z.enum(['true', 'false']), z.boolean(), {
    decode: (text) => text === 'true',
    encode: (flag) => (flag ? ('true' as const) : ('false' as const)),
  }),
  color: hexColor,
  image: z.custom<ImageFile>(isFile),
  instant: z.string(),
} satisfies Record<FieldKind, z.ZodType>

/** The values of a change for fields that every link has. */
const PERMANENT = { ...CREATED, back_half: required }

/** The values of a change for all other fields. An empty text clears the field; an empty flag is false. */
const CLEARABLE = {
  ...CREATED,
  flag: z.codec(z.enum(['true', 'false', '']), z.boolean(), {
    decode: (text) => text === 'true',
    encode: (flag) => (flag ? ('true' as const) : ('false' as const)),
  }),
  color: z.string().regex(/^(?:#[0-9a-fA-F]{6})?$/, 'Use a color in the form #RRGGBB.'),
  image: z.custom<ImageFile | ''>((value) => value === '' || isFile(value)),
}

function isFile(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'bytes' in value
}

type CreateShape = {
  [Name in CreateField]: Name extends FieldWith<{ isRequired: true }>
    ? (typeof CREATED)[KindOf<Name>]
    : z.ZodOptional<(typeof CREATED)[KindOf<Name>]>
}

type UpdateShape = {
  [Name in LinkField]: z.ZodOptional<
    Name extends FieldWith<{ isPermanent: true }>
      ? (typeof PERMANENT)[KindOf<Name>]
      : (typeof CLEARABLE)[KindOf<Name>]
  >
}

/** What the OpenAPI document adds to a field's schema. Some of it is not checked here, because only our service demands it. */
function described(name: LinkField, schema: z.ZodType): z.ZodType {
  const { kind, description, maxLength, pattern } = specOf(name)
  return schema.meta({
    description,
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
    ...(kind === 'url' && { format: 'uri' }),
    ...(kind === 'image' && { type: 'string', format: 'binary' }),
  })
}

/**
 * The create request (spec §4.1) with all its 17 fields, and those of ours. It is a codec: the client encodes its
 * typed request, and the service decodes the fields that it receives.
 */
export const createRequest = z.strictObject(
  Object.fromEntries(
    CREATE_FIELDS.map((name) => {
      const { kind, isRequired } = specOf(name)
      const schema = described(name, CREATED[kind])
      return [name, isRequired ? schema : schema.optional()]
    }),
  ) as CreateShape,
)

/**
 * A change of a link (beyond the specification). Every field is optional: one that is not sent stays as it is, and
 * an empty text clears it, unless every link has it. Like the create request it is a codec.
 */
export const updateRequest = z.strictObject(
  Object.fromEntries(
    LINK_FIELD_NAMES.map((name) => {
      const { kind, isPermanent } = specOf(name)
      return [name, described(name, (isPermanent ? PERMANENT : CLEARABLE)[kind]).optional()]
    }),
  ) as UpdateShape,
)

/** A create request as callers fill it in, with booleans for flags. */
export type CreateRequest = z.output<typeof createRequest>

/** A change as callers fill it in, with booleans for flags. */
export type UpdateRequest = z.output<typeof updateRequest>
