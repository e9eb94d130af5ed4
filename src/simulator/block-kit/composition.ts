import { z } from 'zod'
import { anyText, plainText } from '../../playground/block-kit/text.ts'

/** Ids that an app gives to blocks and elements. */
export const appId = z.string().min(1).max(255)

/** What asks "Are you sure?" before an element acts. */
export const confirm = z.strictObject({
  title: plainText(100).optional(),
  text: anyText(300),
  confirm: plainText(30).optional(),
  deny: plainText(30).optional(),
  style: z.enum(['primary', 'danger']).optional(),
})

/** Slack documents 75 in one place and 150 in another: the stricter holds here. */
const optionValue = z.string().min(1).max(75)

/** One choice of a menu. */
export const menuOption = z.strictObject({
  text: plainText(75),
  value: optionValue,
  description: plainText(75).optional(),
})

/** One choice of an overflow menu, which may also lead somewhere. */
export const overflowOption = z.strictObject({
  ...menuOption.shape,
  url: z
    .url({ protocol: /^https?$/ })
    .max(3000)
    .optional(),
})

/** One choice of radio buttons or checkboxes, which may be formatted. */
export const listedOption = z.strictObject({
  text: anyText(75),
  value: optionValue,
  description: anyText(75).optional(),
})

export const optionGroup = z.strictObject({
  label: plainText(75),
  options: z.array(menuOption).min(1).max(100),
})

export const placeholder = plainText(150)

/** When an input tells the app about itself before the form is submitted. */
export const dispatchConfig = z.strictObject({
  trigger_actions_on: z.array(z.enum(['on_enter_pressed', 'on_character_entered'])).min(1),
})

export const conversationFilter = z
  .strictObject({
    include: z
      .array(z.enum(['im', 'mpim', 'private', 'public']))
      .min(1)
      .optional(),
    exclude_external_shared_channels: z.boolean().optional(),
    exclude_bot_users: z.boolean().optional(),
  })
  .refine((filter) => Object.keys(filter).length > 0, 'must not be empty')
