import { asObject, isObject } from '../../values/unknown-values.ts'
import { isOnDomain, type DomainRecord } from '../../workspaces/connection.ts'
import { LIMITS } from '../block-kit/elements.ts'
import { isWebUrl, unescape } from '../block-kit/mrkdwn.ts'

export interface MessageWithLinks {
  text?: string | undefined
  blocks?: unknown
  attachments?: unknown
}

export interface MessageLinks {
  links: string[]
  leftOut: { short: number; slack: number; tooLong: number } // How many links are not in `links`, and why.
}

/**
 * Slack can include closing quotes in a link. Without the lookbehind, a text of many quotes would take quadratic time.
 */
const CLOSING_QUOTES = /(?<![“”‘’«»‹›])[“”‘’«»‹›]+$/

const PATH_IN_SLACK = /^\/(archives|client|team|files|docs|lists|canvas)\//

/**
 * Finds the links in a message that can be shortened, each once. Two links that differ only in their fragment are both
 * found, because they can lead to different places on a page.
 */
export function parseMessageLinks(
  { text = '', blocks, attachments }: MessageWithLinks,
  domains: readonly DomainRecord[],
): MessageLinks {
  const isShort = (link: string): boolean => {
    const url = URL.parse(link)
    return url !== null && domains.some((domain) => isOnDomain(url, domain))
  }
  const candidates = [
    ...urlsInMrkdwn(text),
    ...urlsInBlocks(blocks),
    ...urlsInAttachments(attachments, isShort),
  ]
  const found: MessageLinks = { links: [], leftOut: { short: 0, slack: 0, tooLong: 0 } }
  const seen = new Set<string>()
  for (const candidate of candidates) {
    const link = candidate.replace(CLOSING_QUOTES, '')
    const url = URL.parse(link)
    if (!url || seen.has(url.href)) continue
    seen.add(url.href)
    if (isShort(link)) found.leftOut.short++
    else if (isInSlack(url)) found.leftOut.slack++
    else if (link.length > LIMITS.inputText) found.leftOut.tooLong++
    else found.links.push(link)
  }
  return found
}

function isInSlack({ hostname, pathname }: URL): boolean {
  return /(^|\.)slack(-gov)?\.com$/.test(hostname) && PATH_IN_SLACK.test(pathname)
}

// The functions below find the http and https URLs in the parts of a message. They never throw, whatever the input.

const URL_CHARACTER = '[^\\s<>"`“”„«»。、，！？（）「」『』【】]'

const BARE = new RegExp(`https?://${URL_CHARACTER}+`, 'gi')

// In Slack's markup, `<https://…|label>`, or bare up to an escaped angle bracket.
const MARKED_OR_BARE = new RegExp(`<([^<>]*)>|https?://(?:(?!&[lg]t;)${URL_CHARACTER})+`, 'gi')

export function urlsInMrkdwn(text: string): string[] {
  return [...text.matchAll(MARKED_OR_BARE)].flatMap(([whole, marked]) => {
    if (marked === undefined) return [withoutPunctuation(unescape(whole))]
    const url = unescape(marked.replace(/\|.*/s, ''))
    return isWebUrl(url) ? [url] : []
  })
}

function withoutPunctuation(url: string): string {
  // For each closing bracket, how many more of it the URL has than of the opening one.
  const unopened = new Map(
    ['()', '[]', '{}'].map(([open = '', close = '']) => [
      close,
      url.split(close).length - url.split(open).length,
    ]),
  )
  let end = url.length
  for (; end > 0; end--) {
    const last = url.charAt(end - 1)
    const count = unopened.get(last) ?? 0
    if (count > 0) unopened.set(last, count - 1)
    else if (!/[.,;:!?'*_~…‘’‹›\p{Cf}]/u.test(last)) break
  }
  return url.slice(0, end)
}

// Slack nests blocks a few levels deep. Anything deeper was not made by Slack.
const MAX_DEPTH = 12

const MRKDWN_TYPES = new Set(['mrkdwn', 'plain_text', 'markdown'])

const PLAIN_TYPES = new Set(['text', 'raw_text'])

const PICTURE_TYPES = new Set(['image', 'emoji', 'file'])

function urlsInBlocks(json: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(json)) return json.flatMap((item) => urlsInBlocks(item, depth + 1))
  if (!isObject(json)) return []
  const { type: rawType, text, url, title_url: titleUrl } = json
  const type = typeof rawType === 'string' ? rawType : ''
  if (PICTURE_TYPES.has(type)) return []
  const urls = [url, titleUrl].filter((value) => typeof value === 'string').filter(isWebUrl)
  // The label of a link or a button can look like another link.
  if (urls.length > 0 || type === 'link' || type === 'button') return urls
  if (typeof text === 'string') {
    if (MRKDWN_TYPES.has(type)) return urlsInMrkdwn(text)
    return PLAIN_TYPES.has(type) ? (text.match(BARE) ?? []).map(withoutPunctuation) : []
  }
  return Object.values(json).flatMap((value) => urlsInBlocks(value, depth + 1))
}

/**
 * Finds the URLs in attachments. In the preview of a link, only the posted link counts: neither other links in the
 * preview nor, for a short link, its destination. Apps can put any JSON into an attachment.
 */
function urlsInAttachments(json: unknown, isShort: (url: string) => boolean): string[] {
  if (!Array.isArray(json)) return []
  return json.flatMap((item) => {
    const attachment = asObject(item)
    const { original_url, from_url, title_link, pretext, text, fields } = attachment
    const [posted] = [original_url, from_url].filter((url) => typeof url === 'string')
    if (posted && isShort(posted)) return [posted]
    const isMessage = attachment['is_share'] === true || attachment['is_msg_unfurl'] === true
    const main = isMessage ? undefined : (posted ?? title_link)
    const values = Array.isArray(fields) ? fields.map((field) => asObject(field)['value']) : []
    return [
      ...(typeof main === 'string' && isWebUrl(main) ? [main] : []),
      ...[pretext, text, ...values].flatMap((part) =>
        typeof part === 'string' ? urlsInMrkdwn(part) : [],
      ),
      ...urlsInBlocks([attachment['blocks'], attachment['message_blocks'], attachment['actions']]),
    ]
  })
}
