import { z } from 'zod'
import {
  CREATE_FIELDS,
  fieldsWith,
  LINK_FIELD_NAMES,
  FIELD_SPECS,
  type FieldWith,
  type KindOf,
  type LinkField,
} from './link-fields.ts'
import type { FieldKind } from './field-spec.ts'
import type { ImageFile } from './preview-image.ts'
import { isObject } from '../values/unknown-values.ts'

export const hexColor = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Use a color in the form #RRGGBB.')

const flagConversion = {
  decode: (text: string) => text === 'true',
  encode: (flag: boolean) => (flag ? ('true' as const) : ('false' as const)),
}

const nonEmpty = z.string().min(1)

const CREATE_SCHEMAS = {
  url: nonEmpty,
  domain: nonEmpty,
  back_half: z.string(),
  text: z.string(),
  lines: z.string(),
  tags: z.string(),
  flag: z.codec(z.enum(['true', 'false']), z.boolean(), flagConversion),
  color: hexColor,
  image: z.custom<ImageFile>(isFile),
  instant: z.string(),
} satisfies Record<FieldKind, z.ZodType>

const PERMANENT_SCHEMAS = { ...CREATE_SCHEMAS, back_half: nonEmpty }

const CLEARABLE_SCHEMAS = {
  ...CREATE_SCHEMAS,
  flag: z.codec(z.enum(['true', 'false', '']), z.boolean(), flagConversion),
  color: z.string().regex(/^(?:#[0-9a-fA-F]{6})?$/, 'Use a color in the form #RRGGBB.'),
  image: z.custom<ImageFile | ''>((value) => value === '' || isFile(value)),
}

function isFile(value: unknown): boolean {
  return isObject(value) && 'bytes' in value
}

type FieldShape<Name extends LinkField, Schemas extends Record<FieldKind, z.ZodType>> = {
  [Field in Name]: Field extends FieldWith<{ isRequired: true }>
    ? Schemas[KindOf<Field>]
    : z.ZodOptional<Schemas[KindOf<Field>]>
}

/** @param metaOf describes a field for the OpenAPI document, for example with limits that the schema doesn't check */
export function fieldShape<Name extends LinkField, Schemas extends Record<FieldKind, z.ZodType>>(
  names: readonly Name[],
  schemas: Schemas,
  metaOf: (name: Name) => z.core.GlobalMeta = requestMeta,
): FieldShape<Name, Schemas> {
  const shape = names.map((name) => {
    const { kind, isRequired } = FIELD_SPECS[name]
    const schema: z.ZodType = schemas[kind].meta(metaOf(name))
    return [name, isRequired ? schema : schema.optional()]
  })
  return Object.fromEntries(shape) as FieldShape<Name, Schemas>
}

function requestMeta(name: LinkField): z.core.GlobalMeta {
  const { kind, description, maxLength, pattern } = FIELD_SPECS[name]
  return {
    description,
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
    ...(kind === 'url' && { format: 'uri' }),
    ...(kind === 'image' && { type: 'string', format: 'binary' }),
  }
}

/** Spec §4.1, with our own fields. The client encodes this form, and the service decodes it. */
export const createRequest = z.strictObject(
  fieldShape(CREATE_FIELDS, CREATE_SCHEMAS, (name) => {
    const { description, whenOmitted } = FIELD_SPECS[name]
    const sentences = whenOmitted === undefined ? description : `${description} ${whenOmitted}`
    return { ...requestMeta(name), description: sentences }
  }),
)

/**
 * The form that changes a link, beyond the specification. Fields that are not sent keep their values. An empty value
 * clears a field, but fields that every link has, such as the destination, can't be cleared.
 */
export const updateRequest = z
  .strictObject({
    ...fieldShape(LINK_FIELD_NAMES, CLEARABLE_SCHEMAS),
    ...fieldShape(fieldsWith({ isPermanent: true }), PERMANENT_SCHEMAS),
  })
  .partial()

export type CreateRequest = z.output<typeof createRequest>

export type UpdateRequest = z.output<typeof updateRequest>
