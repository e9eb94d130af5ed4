import { z } from 'zod'
import type { ListLink } from '../links/link-lists.ts'
import { cut } from '../block-kit/mrkdwn.ts'
import { linkState } from '../block-kit/shown-link.ts'

const MAX_TEXT_LENGTH = 150
const MAX_URL_LENGTH = 500

// White space, control characters and invisible characters. A run of one or two characters that join letters or emoji
// isn't matched, as in ❤️‍🔥.
const INVISIBLE =
  /(?:(?![\u200C\u200D\uFE0F])[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800])+|[\u200C\u200D\uFE0F]{3,}/gu

/**
 * Cleans what a user typed, before Slackbot's model reads it. Invisible characters become spaces, because they could
 * hide a prompt injection from people. Long text is shortened.
 */
export function dataText(text: string, max = MAX_TEXT_LENGTH): string {
  return cut(text.toWellFormed().replaceAll(INVISIBLE, ' ').trim(), max)
}

export const linkData = z.object({
  short_url: z.string(),
  destination: z.string().optional(),
  title: z.string().optional(),
  tags: z.array(z.string()).optional(),
  clicks: z.int().optional().describe('Clicks in total.'),
  state: z
    .enum(['on', 'off', 'expired', 'deleted'])
    .optional()
    .describe('Whether the link works. Absent if this was not checked.'),
  expires_at: z.string().optional(),
})

export function toLinkData(
  link: Partial<ListLink> & Pick<ListLink, 'shortlink_url'>,
  now: number,
): z.output<typeof linkData> {
  const { destination_url: destination, title, tags, clicks, expires_at } = link
  const works = link.enabled === undefined ? undefined : 'on'
  const state = link.deleted ? 'deleted' : (linkState(link, now) ?? works)
  return {
    short_url: dataText(link.shortlink_url, Infinity),
    ...(destination !== undefined && { destination: dataText(destination, MAX_URL_LENGTH) }),
    ...(title && { title: dataText(title) }),
    ...(tags && { tags: tags.map((tag) => dataText(tag)) }),
    ...(clicks !== undefined && { clicks }),
    ...(state && !link.isUnchecked && { state }),
    ...(expires_at !== undefined && { expires_at }),
  }
}
