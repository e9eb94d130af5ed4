import { z } from 'zod'
import { actionsElement, anyText, appId, inputElement, plainText, UNSUPPORTED } from './elements.ts'

export type Surface = 'modal' | 'message' | 'home'

const base = { block_id: appId.optional() }

const webUrl = z
  .string()
  .max(3000)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be a valid URL')

const section = z
  .strictObject({
    type: z.literal('section'),
    ...base,
    text: anyText(3000).optional(),
    fields: z.array(anyText(2000)).min(1).max(10).optional(),
    accessory: actionsElement.optional(),
  })
  .refine(
    ({ text, fields }) => text !== undefined || fields !== undefined,
    'must define either `text` or `fields`',
  )

const preformatted = z.strictObject({
  type: z.literal('rich_text_preformatted'),
  elements: z.array(z.strictObject({ type: z.literal('text'), text: z.string().min(1) })),
})

const message = z.discriminatedUnion(
  'type',
  [
    section,
    // Text objects hold up to 3000 characters, but Slack's reference limits context text to 2000.
    z.strictObject({
      type: z.literal('context'),
      ...base,
      elements: z.array(anyText(2000)).min(1).max(10),
    }),
    z.strictObject({ type: z.literal('divider'), ...base }),
    z.strictObject({ type: z.literal('header'), ...base, text: plainText(150) }),
    z
      .strictObject({
        type: z.literal('image'),
        ...base,
        image_url: webUrl.optional(),
        slack_file: z.strictObject({ id: z.string().regex(/^F[A-Z0-9]{8,}$/) }).optional(),
        alt_text: z.string().min(1).max(2000),
      })
      .refine(
        ({ image_url: url, slack_file: file }) => (url === undefined) !== (file === undefined),
        'must define either `image_url` or `slack_file`',
      ),
    z.strictObject({
      type: z.literal('actions'),
      ...base,
      elements: z.array(actionsElement).min(1).max(25),
    }),
    z.strictObject({ type: z.literal('rich_text'), ...base, elements: z.array(preformatted) }),
  ],
  UNSUPPORTED,
)

const viewBlock = z.discriminatedUnion(
  'type',
  [
    ...message.options,
    z.strictObject({
      type: z.literal('input'),
      ...base,
      label: plainText(2000),
      element: inputElement,
      hint: plainText(2000).optional(),
      optional: z.boolean().optional(),
    }),
  ],
  UNSUPPORTED,
)

/** Rejects Slack's other blocks, such as tables, because the app uses none and the page draws none. */
export const messageBlocks = z.array(message).max(50)

export type BlockType = z.output<typeof viewBlock>['type']

const viewFields = {
  callback_id: z.string().max(255).optional(),
  private_metadata: z.string().max(3000).optional(),
}

export const viewSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('modal'),
      ...viewFields,
      title: plainText(24),
      submit: plainText(24).optional(),
      close: plainText(24).optional(),
      clear_on_close: z.boolean().optional(),
      blocks: z.array(viewBlock).min(1).max(100),
    })
    .refine(
      ({ submit, blocks }) => submit !== undefined || blocks.every(({ type }) => type !== 'input'),
      'missing required field: submit',
    ),
  z.strictObject({ type: z.literal('home'), ...viewFields, blocks: z.array(viewBlock).max(100) }),
])
