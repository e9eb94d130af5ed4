import { z } from 'zod'
import {
  actionsElement,
  anyText,
  appId,
  inputElement,
  ofType,
  plainText,
  unionByType,
} from './elements.ts'

export type Surface = 'modal' | 'message' | 'home'

function block<T extends string, S extends z.ZodRawShape>(type: T, fields: S) {
  return ofType(type, { block_id: appId.optional(), ...fields })
}

const webUrl = z
  .string()
  .max(3000)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be a valid URL')

const section = block('section', {
  text: anyText(3000).optional(),
  fields: z.array(anyText(2000)).min(1).max(10).optional(),
  accessory: actionsElement.optional(),
}).refine(
  ({ text, fields }) => text !== undefined || fields !== undefined,
  'must define either `text` or `fields`',
)

const preformatted = ofType('rich_text_preformatted', {
  elements: z.array(ofType('text', { text: z.string().min(1) })),
})

const message = unionByType([
  section,
  // Text objects hold up to 3000 characters, but Slack's reference limits context text to 2000.
  block('context', { elements: z.array(anyText(2000)).min(1).max(10) }),
  block('divider', {}),
  block('header', { text: plainText(150) }),
  block('image', {
    image_url: webUrl.optional(),
    slack_file: z.strictObject({ id: z.string().regex(/^F[A-Z0-9]{8,}$/) }).optional(),
    alt_text: z.string().min(1).max(2000),
  }).refine(
    ({ image_url: url, slack_file: file }) => (url === undefined) !== (file === undefined),
    'must define either `image_url` or `slack_file`',
  ),
  block('actions', { elements: z.array(actionsElement).min(1).max(25) }),
  block('rich_text', { elements: z.array(preformatted) }),
])

const viewBlock = unionByType([
  ...message.options,
  block('input', {
    label: plainText(2000),
    element: inputElement,
    hint: plainText(2000).optional(),
    optional: z.boolean().optional(),
  }),
])

/** Rejects Slack's other blocks, such as tables, because the app uses none and the page draws none. */
export const messageBlocks = z.array(message).max(50)

export type BlockType = z.output<typeof viewBlock>['type']

const viewFields = {
  callback_id: z.string().max(255).optional(),
  private_metadata: z.string().max(3000).optional(),
}

export const viewSchema = z.discriminatedUnion('type', [
  ofType('modal', {
    ...viewFields,
    title: plainText(24),
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    clear_on_close: z.boolean().optional(),
    blocks: z.array(viewBlock).min(1).max(100),
  }).refine(
    ({ submit, blocks }) => submit !== undefined || blocks.every(({ type }) => type !== 'input'),
    'missing required field: submit',
  ),
  ofType('home', { ...viewFields, blocks: z.array(viewBlock).max(100) }),
])
