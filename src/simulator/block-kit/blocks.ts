import { z } from 'zod'
import { appId } from './composition.ts'
import { accessory, actionsElement, inputElement } from './elements.ts'
import { hasOneSource, imageElement, imageSource, ONE_SOURCE } from './images.ts'
import { richTextElement } from './rich-text.ts'
import { anyText, plainText } from '../../playground/block-kit/text.ts'

/** Where blocks stand. */
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

/** Every text object may hold 3000 characters, but Slack's reference gives context text 2000. */
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
 * The blocks of each surface. Slack's newer blocks (tables, cards, videos …) are not among them:
 * the app uses none, and an unknown one is refused rather than let through unchecked. Nor are
 * inputs in messages, which Slack has allowed only for a while.
 */
export const blocks = {
  modal: z.array(z.discriminatedUnion('type', [...everywhere, input])).max(100),
  home: z.array(z.discriminatedUnion('type', [...everywhere, input])).max(100),
  message: z.array(z.discriminatedUnion('type', [...everywhere, markdown])).max(50),
} satisfies Record<Surface, z.ZodType>
