import { z } from 'zod'
import { urlsInBlocks } from './urls-in-blocks.ts'
import { isWebUrl, urlsInMrkdwn } from './urls-in-text.ts'

const text = z.string().optional().catch(undefined)
const flag = z.boolean().optional().catch(undefined)

/** As much of an attachment as links are found in, member by member: apps send what they like. */
const attachment = z.object({
  /** Of an unfurl: the link as it was posted, and as it was read. */
  original_url: text,
  from_url: text,
  /** Another message, which somebody shared. */
  is_share: flag,
  is_msg_unfurl: flag,
  title_link: text,
  pretext: text,
  text,
  fields: z
    .array(z.object({ value: text }))
    .optional()
    .catch(undefined),
  blocks: z.unknown().optional(),
  message_blocks: z.unknown().optional(),
  actions: z.unknown().optional(),
})

/**
 * The http and https URLs of a message's attachments. An unfurl stands for the link that it was
 * made of: the address of the same page that its title leads to is not another link.
 *
 * @param isShort whether a link is short already; what its unfurl shows is where it leads
 */
export function urlsInAttachments(json: unknown, isShort: (url: string) => boolean): string[] {
  if (!Array.isArray(json)) return []
  return json.flatMap((one) => {
    const read = attachment.safeParse(one).data
    if (!read) return []
    const unfurled = read.original_url ?? read.from_url
    if (unfurled && isShort(unfurled)) return [unfurled]
    const leadsTo = read.is_share || read.is_msg_unfurl ? undefined : (unfurled ?? read.title_link)
    const texts = [read.pretext, read.text, ...(read.fields ?? []).map(({ value }) => value)]
    return [
      ...(leadsTo && isWebUrl(leadsTo) ? [leadsTo] : []),
      ...texts.flatMap((one) => (one ? urlsInMrkdwn(one) : [])),
      ...urlsInBlocks([read.blocks, read.message_blocks, read.actions]),
    ]
  })
}
