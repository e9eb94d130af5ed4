import { z } from 'zod'

/** Text of 1 to `max` characters that Slack shows as it stands. */
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

/** An address that Slack opens or fetches: http or https, at most 3000 characters. */
export const webUrl = z
  .string()
  .max(3000)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be a valid URL')
