import { z } from 'zod'

/** Text of 1 to `max` characters that Slack shows without formatting. */
export function plainText(max: number) {
  return z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(max),
    emoji: z.boolean().optional(),
  })
}

function mrkdwnText(max: number) {
  return z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(max),
    verbatim: z.boolean().optional(),
  })
}

/** Plain or mrkdwn text of 1 to `max` characters. */
export function anyText(max: number) {
  return z.discriminatedUnion('type', [plainText(max), mrkdwnText(max)])
}

/** An http or https URL that Slack opens or fetches, at most 3000 characters long. */
export const webUrl = z
  .string()
  .max(3000)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be a valid URL')

/** A block_id or action_id that an app assigns. */
export const appId = z.string().min(1).max(255)

/** The question "Are you sure?" that Slack asks before an element acts. */
export const confirm = z.strictObject({
  title: plainText(100).optional(),
  text: anyText(300),
  confirm: plainText(30).optional(),
  deny: plainText(30).optional(),
  style: z.enum(['primary', 'danger']).optional(),
})

/** Slack's documentation says 75 in one place and 150 in another. This is the stricter limit. */
const optionValue = z.string().min(1).max(75)

export const menuOption = z.strictObject({
  text: plainText(75),
  value: optionValue,
  description: plainText(75).optional(),
})

/** An option of an overflow menu, which can also open a URL. */
export const overflowOption = z.strictObject({
  ...menuOption.shape,
  url: z
    .url({ protocol: /^https?$/ })
    .max(3000)
    .optional(),
})

/** An option of radio buttons or checkboxes, whose text can be formatted. */
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

/** When a text input sends its value to the app before the form is submitted. */
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
