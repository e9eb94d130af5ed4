import { DAY_MS, dayOf } from '../../timing/days.ts'
import { readableUrl, webUrl } from '../../web/readable-url.ts'

/** Text for Slack and from Slack: cutting, escaping, links, mentions and dates. */

export { readableUrl }

/** Cuts text to `max` UTF-16 units with an ellipsis, never through a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const kept = text.slice(0, max - 1)
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}

/** Cuts text in the middle: titles of links to one page often differ at the end. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const end = Math.floor(max / 3)
  return cut(text, max - end) + text.slice(-end).replace(/^[\uDC00-\uDFFF]/, '')
}

/**
 * Escapes text for mrkdwn. Everything that a user or a service supplied must pass through here, or
 * a title could ping `<!channel>`.
 *
 * @param max maximum length of the escaped text
 */
export function escape(text: string, max = Infinity): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return cutMrkdwn(escaped, max)
}

export function capitalized(text: string): string {
  return text.replace(/^\p{L}/u, (letter) => letter.toUpperCase())
}

/** Reverses Slack's escaping of `&`, `<` and `>`. */
export function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Cuts mrkdwn, but never through an entity, a link or a mention, which would break it. */
export function cutMrkdwn(mrkdwn: string, max: number): string {
  if (mrkdwn.length <= max) return mrkdwn
  return cut(mrkdwn, max).replace(/(?:<[^<>]*|&[a-z]*)…$/, '…')
}

/**
 * A link, with an optional label. Both are escaped here. A `|` in a URL would end the URL. Only http and
 * https URLs become links.
 */
export function link(url: string, label?: string): string {
  if (!isWebUrl(url)) return escape(label ?? url)
  const suffix = label === undefined ? '' : `|${escape(label).replaceAll('|', '¦')}`
  return `<${escape(url).replaceAll('|', '%7C')}${suffix}>`
}

/**
 * A destination, linked if it is a whole http or https URL. Its label is its host and path.
 *
 * @param max maximum length of the label (`readableUrl`)
 */
export function destinationLink(url: string, max: number): string {
  const shown = readableUrl(url, max)
  const href = url.endsWith('…') ? undefined : webUrl(url)?.href
  return href ? link(href, shown) : escape(shown)
}

/** The host of a URL, or a host, as people read it. It may be longer than this: its end says whose it is. */
export function shownHost(url: string): string {
  return escape(readableUrl(`https://${URL.parse(url)?.host || url}`, 60))
}

/** The URL in `<https://…|label>`, as Slack writes links that it escapes; other text is unchanged. */
export function unwrapLink(word: string): string {
  return /^<([^|>]+)(?:\|[^>]*)?>$/.exec(word)?.[1] ?? word
}

export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

export function bold(text: string): string {
  return `*${escape(text)}*`
}

/** Characters that start or end a writing direction, and so would affect the text around them. */
const DIRECTION_CHARACTERS = /[\u202a-\u202e\u2066-\u2069]/g

/** Isolates text so that its writing direction can't affect the text around it. */
export function isolate(text: string): string {
  return `\u2068${text.replace(DIRECTION_CHARACTERS, '')}\u2069`
}

export function mention(userId: string): string {
  return `<@${userId}>`
}

/** A time such as "2 hours ago", which Slack writes in the reader's language. */
export function ago(isoTime: string): string {
  const time = Date.parse(isoTime)
  return Number.isNaN(time) ? '' : slackDate(time, '{ago}')
}

/** A day, which Slack writes in the reader's language. @param time milliseconds since 1970 */
export function day(time: number): string {
  return slackDate(time, '{date_long}')
}

/** The same in few characters, and within two days with the time of day. @param now milliseconds since 1970 */
export function shortDay(time: number, now: number): string {
  return slackDate(
    time,
    Math.abs(time - now) < 2 * DAY_MS ? '{date_short}, {time}' : '{date_short}',
  )
}

/** A day and a time of day, which Slack writes for the reader's time zone. @param time milliseconds since 1970 */
export function moment(time: number): string {
  const utc = `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return slackDate(time, '{date_long} at {time}', utc)
}

/** Clients that can't format a date show its UTC day instead, unless another text is given. */
function slackDate(time: number, format: string, otherwise = dayOf(time)): string {
  return `<!date^${Math.floor(time / 1000)}^${format}|${otherwise}>`
}
