import { isWebUrl, urlsInMrkdwn, urlsInPlainText } from './urls-in-text.ts'

/** Blocks nest a few times at most; whatever is deeper was not made by Slack. */
const MAX_DEPTH = 12

/** Texts of these are marked up. */
const TEXTS = new Set(['mrkdwn', 'plain_text', 'markdown'])

/** Those of rich text, and of a table's cells, are not. */
const PLAIN = new Set(['text', 'raw_text'])

/** These have addresses that lead to a picture. */
const PICTURES = new Set(['image', 'emoji', 'file'])

/**
 * The http and https URLs of Block Kit, in the order in which they stand: links of rich text,
 * those in texts, and those that buttons, menus and videos lead to. Never throws, whatever it is
 * given.
 */
export function urlsInBlocks(json: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH || typeof json !== 'object' || json === null) return []
  if (Array.isArray(json)) return json.flatMap((one) => urlsInBlocks(one, depth + 1))
  const { type, text, url, title_url: titleUrl } = json as Record<string, unknown>
  if (typeof type === 'string' && PICTURES.has(type)) return []
  const own = [url, titleUrl].filter((one) => typeof one === 'string').filter(isWebUrl)
  // The label of a link or a button may look like another link.
  if (own.length > 0 || type === 'link' || type === 'button') return own
  if (typeof text === 'string') {
    if (typeof type === 'string' && TEXTS.has(type)) return urlsInMrkdwn(text)
    return typeof type === 'string' && PLAIN.has(type) ? urlsInPlainText(text) : []
  }
  return Object.values(json).flatMap((one) => urlsInBlocks(one, depth + 1))
}
