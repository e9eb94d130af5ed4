import { z } from 'zod'
import { webUrl } from './composition.ts'

const style = z
  .strictObject({
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    strike: z.boolean().optional(),
    code: z.boolean().optional(),
  })
  .optional()

const text = z.strictObject({ type: z.literal('text'), text: z.string().min(1), style })
const link = z.strictObject({
  type: z.literal('link'),
  url: webUrl,
  text: z.string().optional(),
  unsafe: z.boolean().optional(),
  style,
})

const inline = z.discriminatedUnion('type', [
  text,
  link,
  z.strictObject({ type: z.literal('emoji'), name: z.string().min(1), style }),
  z.strictObject({ type: z.literal('user'), user_id: z.string().min(1), style }),
  z.strictObject({ type: z.literal('channel'), channel_id: z.string().min(1), style }),
  z.strictObject({
    type: z.literal('broadcast'),
    range: z.enum(['here', 'channel', 'everyone']),
    style,
  }),
])

const section = z.strictObject({
  type: z.literal('rich_text_section'),
  elements: z.array(inline),
})

const border = z.int().min(0).max(1).optional()

/** An element of a rich_text block. */
export const richTextElement = z.discriminatedUnion('type', [
  section,
  z.strictObject({
    type: z.literal('rich_text_list'),
    style: z.enum(['bullet', 'ordered']),
    elements: z.array(section),
    indent: z.int().min(0).max(8).optional(),
    offset: z.int().min(0).optional(),
    border,
  }),
  z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(inline), border }),
  z.strictObject({
    type: z.literal('rich_text_preformatted'),
    elements: z.array(z.discriminatedUnion('type', [text, link])),
    border,
  }),
])
