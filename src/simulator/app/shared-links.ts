import { createHash } from 'node:crypto'
import type { StoredMessage } from '../workspace/messages.ts'
import type { Parts } from '../../playground/parts.ts'
import type { Conversation } from '../protocol.ts'
import { unescaped } from '../../playground/shared/unescaped.ts'

/** A link that an app may say more of: its URL, and the app's domain that it is on. */
export interface SharedLink {
  domain: string
  url: string
}

/** The URLs in a message, each once. @param text as Slack stores it, with URLs in `<…>` */
export function urlsIn(text: string): string[] {
  const written = [...text.matchAll(/<(https?:\/\/[^>|]+)(?:\|[^>]*)?>/g)].map(
    ([, url = '']) => url,
  )
  return [...new Set(written.map(unescaped))]
}

/**
 * The links of a message on an app's domains. A port does not count, and a domain stands for its
 * subdomains as well.
 */
export function linksOn(domains: readonly string[], text: string): SharedLink[] {
  return urlsIn(text).flatMap((url) => {
    const hostname = URL.parse(url)?.hostname ?? ''
    const domain = domains.find((one) => hostname === one || hostname.endsWith(`.${one}`))
    return domain === undefined ? [] : [{ domain, url }]
  })
}

/** By which `chat.unfurl` may name a message, in place of its channel and `ts`. */
function unfurlId(conversationId: string, ts: string): string {
  const hash = createHash('sha256').update(`${conversationId} ${ts}`).digest('hex')
  return `${conversationId}.${ts}.${hash}`
}

/** The message that an unfurl_id names. */
export function messageOf(id: string): { conversationId: string; ts: string } | undefined {
  const [, conversationId = '', ts = ''] = /^(\w+)\.(\d+\.\d+)\./.exec(id) ?? []
  return unfurlId(conversationId, ts) === id ? { conversationId, ts } : undefined
}

/** Tells the app of the links on its domains in somebody's message, where it may read links. */
export function announceLinks(
  { manifest, grants, team, events }: Parts,
  conversation: Conversation,
  { author, text, ts, threadTs }: StoredMessage,
): void {
  const links = linksOn(manifest.features.unfurl_domains, text)
  const mayRead = grants.of(team)?.scopes.has('links:read') === true
  if (author.kind !== 'person' || links.length === 0 || !mayRead) return
  events.send({
    type: 'link_shared',
    channel: conversation.id,
    is_bot_user_member: conversation.appIsMember,
    user: author.id,
    message_ts: ts,
    unfurl_id: unfurlId(conversation.id, ts),
    ...(threadTs !== undefined && { thread_ts: threadTs }),
    source: 'conversations_history',
    links,
    event_ts: ts,
  })
}
