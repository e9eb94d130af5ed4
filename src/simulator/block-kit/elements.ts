import { z } from 'zod'
import { appId, confirm, dispatchConfig, placeholder, plainText, webUrl } from './composition.ts'
import { imageElement } from './images.ts'
import { menus, overflow } from './menus.ts'

const base = { action_id: appId.optional() }

const button = z.strictObject({
  type: z.literal('button'),
  ...base,
  text: plainText(75),
  url: webUrl.optional(),
  value: z.string().min(1).max(2000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  confirm: confirm.optional(),
  accessibility_label: z.string().min(1).max(75).optional(),
})

const typed = {
  ...base,
  placeholder: placeholder.optional(),
  focus_on_load: z.boolean().optional(),
  dispatch_action_config: dispatchConfig.optional(),
}

/** Slack accepts no empty initial value: leave it out instead. */
const initialText = z.string().min(1).max(3000).optional()

const plainTextInput = z
  .strictObject({
    type: z.literal('plain_text_input'),
    ...typed,
    initial_value: initialText,
    multiline: z.boolean().optional(),
    min_length: z.int().min(0).max(3000).optional(),
    max_length: z.int().min(1).max(3000).optional(),
  })
  .refine(
    ({ min_length = 0, max_length = 3000 }) => min_length <= max_length,
    'min_length must not be greater than max_length',
  )
  .refine(
    ({ initial_value = '', max_length = 3000 }) => initial_value.length <= max_length,
    'initial_value must not be longer than max_length',
  )

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/)

const numberInput = z.strictObject({
  type: z.literal('number_input'),
  ...typed,
  is_decimal_allowed: z.boolean(),
  initial_value: decimal.optional(),
  min_value: decimal.optional(),
  max_value: decimal.optional(),
})

/** `filetypes` are extensions without the dot. */
const fileInput = z.strictObject({
  type: z.literal('file_input'),
  ...base,
  filetypes: z
    .array(z.string().regex(/^[a-z0-9]+$/))
    .min(1)
    .optional(),
  max_files: z.int().min(1).max(10).optional(),
})

export const actionsElement = z.discriminatedUnion('type', [button, overflow, ...menus])

export const accessory = z.discriminatedUnion('type', [button, overflow, imageElement, ...menus])

export const inputElement = z.discriminatedUnion('type', [
  plainTextInput,
  numberInput,
  z.strictObject({ type: z.literal('url_text_input'), ...typed, initial_value: initialText }),
  z.strictObject({ type: z.literal('email_text_input'), ...typed, initial_value: initialText }),
  fileInput,
  ...menus,
])
