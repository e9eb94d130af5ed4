import { z } from 'zod'
import type { StoredMessage } from '../workspace/messages.ts'
import type { Parts } from '../parts.ts'
import type { SlackJson } from '../protocol.ts'
import { APP } from '../workspace/seeds.ts'
import { linksOn, urlsInMrkdwn } from '../app/shared-links.ts'
import { json, method, SlackRefusal } from './method.ts'

const unfurlArgs = z.object({
  channel: z.string(),
  ts: z.string(),
  unfurls: json(z.unknown()).optional(),
})

const unfurlsSchema = z.record(z.string(), z.record(z.string(), z.unknown()))

export const unfurlMethods = {
  'chat.unfurl': method('links:write', unfurlArgs, (parts, given) => {
    const message = findMessage(parts, given)
    const unfurls = parseUnfurls(given.unfurls)
    checkUrls(parts, message, Object.keys(unfurls))
    // In Slack, an unfurl does not count as an edit of the message.
    message.attachments = mergeAttachments(parts, message, unfurls)
    return {}
  }),
}

/** The app need not be a member of the message's channel. */
function findMessage(
  { conversations, messages }: Parts,
  { channel, ts }: z.output<typeof unfurlArgs>,
): StoredMessage {
  if (!conversations.get(channel)) throw new SlackRefusal('cannot_find_channel')
  const message = messages.find(channel, ts)
  if (!message || message.ephemeral) throw new SlackRefusal('cannot_find_message')
  return message
}

function parseUnfurls(given: unknown): Record<string, SlackJson> {
  if (given === undefined) throw new SlackRefusal('missing_unfurls')
  const parsed = unfurlsSchema.safeParse(given)
  if (!parsed.success) throw new SlackRefusal('invalid_unfurls_format')
  return parsed.data
}

function checkUrls(
  { manifest, grants, team }: Parts,
  message: StoredMessage,
  urls: string[],
): void {
  const urlsInMessage = urlsInMrkdwn(message.text)
  const ours = linksOn(manifest.features.unfurl_domains, message.text).map(({ url }) => url)
  const wasNotified =
    message.author.kind === 'person' && grants.latestFor(team)?.scopes.has('links:read')
  for (const url of urls) {
    if (!urlsInMessage.includes(url)) throw new SlackRefusal('cannot_unfurl_message')
    if (!ours.includes(url) || !wasNotified) throw new SlackRefusal('cannot_unfurl_url')
  }
}

/** A second unfurl of a URL replaces the first one. */
function mergeAttachments(
  { content }: Parts,
  { attachments = [] }: StoredMessage,
  unfurls: Record<string, unknown>,
): SlackJson[] {
  const all = new Map(attachments.map((one) => [one.app_unfurl_url, one]))
  for (const [url, unfurl] of Object.entries(unfurls)) {
    const read = content.unfurl(url, unfurl)
    if (!read.ok) throw new SlackRefusal('cannot_parse_attachment', read.messages)
    all.set(url, {
      blocks: read.value,
      from_url: url,
      app_unfurl_url: url,
      is_app_unfurl: true,
      bot_id: APP.botId,
    })
  }
  return [...all.values()].map((one, at) => ({ ...one, id: at + 1 }))
}
