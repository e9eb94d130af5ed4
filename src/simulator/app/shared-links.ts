import type { Parts } from '../parts.ts'
import type { Conversation, Message } from '../protocol.ts'
import { unescaped } from '../shared/slack-json.ts'

export function urlsInMrkdwn(text: string): string[] {
  const urls = [...text.matchAll(/<(https?:\/\/[^>|]+)(?:\|[^>]*)?>/g)].map(([, url = '']) => url)
  return [...new Set(urls.map(unescaped))]
}

export function linksOn(domains: readonly string[], text: string) {
  return urlsInMrkdwn(text).flatMap((url) => {
    const hostname = URL.parse(url)?.hostname ?? ''
    const domain = domains.find((name) => hostname === name || hostname.endsWith(`.${name}`))
    return domain === undefined ? [] : [{ domain, url }]
  })
}

export function sendLinkShared(
  { manifest, grants, events }: Parts,
  conversation: Conversation,
  { author, text, ts, threadTs }: Message,
): void {
  const links = linksOn(manifest.features.unfurl_domains, text)
  const mayRead = grants.latest()?.scopes.has('links:read') === true
  if (author.kind !== 'person' || links.length === 0 || !mayRead) return
  events.send({
    type: 'link_shared',
    channel: conversation.id,
    is_bot_user_member: conversation.appIsMember,
    user: author.id,
    message_ts: ts,
    ...(threadTs !== undefined && { thread_ts: threadTs }),
    source: 'conversations_history',
    links,
    event_ts: ts,
  })
}
