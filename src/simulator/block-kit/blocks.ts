import { z } from 'zod'
import { anyText, appId, plainText } from './composition.ts'
import { accessory, actionsElement, inputElement } from './elements.ts'
import { hasOneSource, imageElement, imageSource, ONE_SOURCE } from './images.ts'
import { richTextElement } from './rich-text.ts'

/** The places that show blocks. */
export type Surface = 'modal' | 'message' | 'home'

const base = { block_id: appId.optional() }

const section = z
  .strictObject({
    type: z.literal('section'),
    ...base,
    text: anyText(3000).optional(),
    fields: z.array(anyText(2000)).min(1).max(10).optional(),
    accessory: accessory.optional(),
    expand: z.boolean().optional(),
  })
  .refine(
    ({ text, fields }) => text !== undefined || fields !== undefined,
    'must define either `text` or `fields`',
  )

/** Text objects hold up to 3000 characters, but Slack's reference limits context text to 2000. */
const context = z.strictObject({
  type: z.literal('context'),
  ...base,
  elements: z
    .array(z.discriminatedUnion('type', [imageElement, anyText(2000)]))
    .min(1)
    .max(10),
})

const everywhere = [
  section,
  context,
  z.strictObject({ type: z.literal('divider'), ...base }),
  z.strictObject({ type: z.literal('header'), ...base, text: plainText(150) }),
  z
    .strictObject({
      type: z.literal('image'),
      ...base,
      ...imageSource,
      title: plainText(2000).optional(),
    })
    .refine(hasOneSource, ONE_SOURCE),
  z.strictObject({
    type: z.literal('actions'),
    ...base,
    elements: z.array(actionsElement).min(1).max(25),
  }),
  z.strictObject({ type: z.literal('rich_text'), ...base, elements: z.array(richTextElement) }),
] as const

const input = z.strictObject({
  type: z.literal('input'),
  ...base,
  label: plainText(2000),
  element: inputElement,
  hint: plainText(2000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
})

const markdown = z.strictObject({
  type: z.literal('markdown'),
  ...base,
  text: z.string().min(1).max(12_000),
})

/**
 * The blocks that each surface accepts. Slack's newer blocks (tables, cards, videos …) are missing:
 * the app uses none, and an unknown block is rejected rather than accepted unchecked. Inputs in
 * messages, which Slack has allowed only recently, are missing too.
 */
export const blocks = {
  modal: z.array(z.discriminatedUnion('type', [...everywhere, input])).max(100),
  home: z.array(z.discriminatedUnion('type', [...everywhere, input])).max(100),
  message: z.array(z.discriminatedUnion('type', [...everywhere, markdown])).max(50),
} satisfies Record<Surface, z.ZodType>

const viewFields = {
  callback_id: z.string().max(255).optional(),
  private_metadata: z.string().max(3000).optional(),
  external_id: z.string().max(255).optional(),
}

/** A view as an app sends it. */
export const viewSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('modal'),
      ...viewFields,
      title: plainText(24),
      submit: plainText(24).optional(),
      close: plainText(24).optional(),
      clear_on_close: z.boolean().optional(),
      notify_on_close: z.boolean().optional(),
      blocks: blocks.modal.min(1),
    })
    .refine(
      ({ submit, blocks: all }) =>
        submit !== undefined || all.every(({ type }) => type !== 'input'),
      'missing required field: submit',
    ),
  z.strictObject({ type: z.literal('home'), ...viewFields, blocks: blocks.home }),
])
