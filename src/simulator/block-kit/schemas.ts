import { z } from 'zod'
import { objects, sameJson } from '../shared/slack-json.ts'

// Rejects Slack's other elements and fields, such as users_select, because the page would silently leave them out.

function ofType<T extends string, S extends z.ZodRawShape>(type: T, fields: S) {
  return z.strictObject({ type: z.literal(type), ...fields })
}

function plainText(max: number) {
  return ofType('plain_text', {
    text: z.string().min(1).max(max),
    emoji: z.boolean().optional(),
  })
}

function anyText(max: number) {
  const mrkdwn = ofType('mrkdwn', { text: z.string().min(1).max(max) })
  return z.discriminatedUnion('type', [plainText(max), mrkdwn])
}

function unionByType<
  const T extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
>(options: T) {
  return z.discriminatedUnion('type', options, 'unsupported type')
}

const appId = z.string().min(1).max(255)

const base = { action_id: appId.optional() }
const focusable = { ...base, focus_on_load: z.boolean().optional() }
const menu = { ...focusable, placeholder: plainText(150).optional() }
const textInput = {
  ...menu,
  // Not empty, because Slack rejects an empty initial value.
  initial_value: z.string().min(1).max(3000).optional(),
}

/** The stricter limit: Slack's documentation says 75 in one place and 150 in another. */
const optionValue = z.string().min(1).max(75)
const menuOption = z.strictObject({ text: plainText(75), value: optionValue })
const menuOptions = z.array(menuOption).min(1).max(100)
const listedOption = z.strictObject({ text: anyText(75), value: optionValue })
const listedOptions = z.array(listedOption).min(1).max(10)

function withOptions<T extends string, S extends z.ZodRawShape>(type: T, fields: S) {
  return ofType(type, fields).refine((element) => {
    const { options, initial_option, initial_options } = element as Record<string, unknown>
    const initial = objects(initial_options ?? [initial_option])
    return initial.every((choice) => objects(options).some((option) => sameJson(option, choice)))
  }, 'initial option(s) must match one of the options')
}

const menus = [
  withOptions('static_select', {
    ...menu,
    options: menuOptions,
    initial_option: menuOption.optional(),
  }),
  withOptions('multi_static_select', {
    ...menu,
    options: menuOptions,
    initial_options: menuOptions.optional(),
  }),
  withOptions('radio_buttons', {
    ...focusable,
    options: listedOptions,
    initial_option: listedOption.optional(),
  }),
  withOptions('checkboxes', {
    ...focusable,
    options: listedOptions,
    initial_options: listedOptions.optional(),
  }),
  ofType('conversations_select', {
    ...menu,
    default_to_current_conversation: z.boolean().optional(),
    // Gives the app a response_url for the selected conversation. Only inputs of modals can have it.
    response_url_enabled: z.boolean().optional(),
    initial_conversation: appId.optional(),
    filter: z
      .strictObject({
        include: z.array(z.enum(['public', 'private', 'im', 'mpim'])).min(1),
        exclude_external_shared_channels: z.boolean().optional(),
      })
      .optional(),
  }),
  ofType('datetimepicker', {
    ...focusable,
    // Seconds since 1970, with ten digits.
    initial_date_time: z.int().min(1_000_000_000).max(9_999_999_999).optional(),
  }),
] as const

const actionsElement = unionByType([
  ofType('button', {
    ...base,
    text: plainText(75),
    value: z.string().min(1).max(2000).optional(),
    // Slack opens the URL, and notifies the app of the click as well.
    url: z
      .url({ protocol: /^https?$/ })
      .max(3000)
      .optional(),
    style: z.enum(['primary', 'danger']).optional(),
    accessibility_label: z.string().min(1).max(75).optional(),
  }),
  ofType('overflow', { ...base, options: z.array(menuOption).min(1).max(5) }),
  ...menus,
])

const inputElement = unionByType([
  ofType('plain_text_input', {
    ...textInput,
    multiline: z.boolean().optional(),
    max_length: z.int().min(1).max(3000).optional(),
  }).refine(
    ({ initial_value = '', max_length = 3000 }) => initial_value.length <= max_length,
    'initial_value must not be longer than max_length',
  ),
  ofType('url_text_input', { ...textInput }),
  ofType('file_input', {
    ...base,
    filetypes: z
      .array(z.string().regex(/^[a-z0-9]+$/))
      .min(1)
      .optional(),
    max_files: z.int().min(1).max(10).optional(),
  }),
  ...menus,
])

export type ValueElement = z.output<typeof inputElement>['type']

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
