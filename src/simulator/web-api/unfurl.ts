import { z } from 'zod'
import { readAttachments } from '../../playground/attachments.ts'
import type { StoredMessage } from '../workspace/messages.ts'
import type { Parts } from '../../playground/parts.ts'
import type { SlackJson } from '../protocol.ts'
import { APP } from '../workspace/seeds.ts'
import { linksOn, messageOf, urlsIn } from '../app/shared-links.ts'
import { json, method, SlackRefusal, type Method } from './method.ts'

const args = z.object({
  channel: z.string().optional(),
  ts: z.string().optional(),
  unfurl_id: z.string().optional(),
  source: z.string().optional(),
  unfurls: json(z.unknown()).optional(),
})

const unfurlsSchema = z.record(z.string(), z.record(z.string(), z.unknown()))

export const unfurlMethods: Record<string, Method> = {
  'chat.unfurl': method(
    args,
    (parts, given) => {
      const message = unfurled(parts, given)
      const unfurls = unfurlsOf(given.unfurls)
      checkUrls(parts, message, Object.keys(unfurls))
      parts.messages.attach(message, attachmentsOf(parts, message, unfurls))
      return {}
    },
    'links:write',
  ),
}

/** The message that is meant: by channel and `ts`, or by `unfurl_id` and source. */
function unfurled(
  { conversations, messages }: Parts,
  { channel, ts, unfurl_id, source }: z.output<typeof args>,
): StoredMessage {
  if (unfurl_id !== undefined || source !== undefined) {
    if (unfurl_id === undefined) throw new SlackRefusal('missing_unfurl_id')
    if (source === undefined) throw new SlackRefusal('missing_source')
    if (source !== 'conversations_history' && source !== 'composer') {
      throw new SlackRefusal('invalid_source')
    }
    const named = messageOf(unfurl_id)
    const message = named && messages.find(named.conversationId, named.ts)
    if (!message || source === 'composer') throw new SlackRefusal('invalid_unfurl_id')
    return message
  }
  if (channel === undefined) throw new SlackRefusal('missing_channel')
  if (ts === undefined) throw new SlackRefusal('missing_ts')
  // Also where the app is no member.
  if (!conversations.get(channel)) throw new SlackRefusal('cannot_find_channel')
  const message = messages.find(channel, ts)
  if (!message || message.ephemeral) throw new SlackRefusal('cannot_find_message')
  return message
}

function unfurlsOf(given: unknown): Record<string, SlackJson> {
  if (given === undefined) throw new SlackRefusal('missing_unfurls')
  const parsed = unfurlsSchema.safeParse(given)
  if (!parsed.success) throw new SlackRefusal('invalid_unfurls_format')
  return parsed.data
}

/** A person's link on a domain of the app's, that the app was told of, in this very message. */
function checkUrls(
  { manifest, grants, team }: Parts,
  message: StoredMessage,
  urls: string[],
): void {
  const written = urlsIn(message.text)
  const ours = linksOn(manifest.features.unfurl_domains, message.text).map(({ url }) => url)
  const wasTold = message.author.kind === 'person' && grants.of(team)?.scopes.has('links:read')
  for (const url of urls) {
    if (!written.includes(url)) throw new SlackRefusal('cannot_unfurl_message')
    if (!ours.includes(url) || !wasTold) throw new SlackRefusal('cannot_unfurl_url')
  }
}

/** What hangs on the message then: a second unfurl of the same URL takes the place of the first. */
function attachmentsOf(
  { files }: Parts,
  { attachments = [] }: StoredMessage,
  unfurls: Record<string, SlackJson>,
): SlackJson[] {
  const all = new Map(attachments.map((one) => [one.app_unfurl_url, one]))
  for (const [url, unfurl] of Object.entries(unfurls)) {
    const about = { from_url: url, app_unfurl_url: url, is_app_unfurl: true, bot_id: APP.botId }
    all.set(url, { ...unfurl, ...about })
  }
  const read = readAttachments([...all.values()], (file) => files.fault(file), ['unfurls'])
  if (!read.ok) throw new SlackRefusal('cannot_parse_attachment', read.messages)
  return read.value
}
