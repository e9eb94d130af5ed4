import { DAY_MS, dayOf } from '../../timing/days.ts'
import { cut, readableUrl, webUrl } from '../../web/readable-url.ts'

export { cut, readableUrl }

/** Shortens text in the middle, because titles of links to the same page often differ only at their ends. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const end = Math.floor(max / 3)
  return cut(text, max - end) + text.slice(-end).replace(/^[\uDC00-\uDFFF]/, '')
}

/** All text from users and services must pass through here, because a title could otherwise ping `<!channel>`. */
export function escape(text: string, max = Infinity): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return cutMrkdwn(escaped, max)
}

export function capitalized(text: string): string {
  return text.replace(/^\p{L}/u, (letter) => letter.toUpperCase())
}

export function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Never cuts through an entity, a link or a mention, because that would break them. */
export function cutMrkdwn(mrkdwn: string, max: number): string {
  if (mrkdwn.length <= max) return mrkdwn
  return cut(mrkdwn, max).replace(/(?:<[^<>]*|&[a-z]*)…$/, '…')
}

/** Builds `<https://example.com|label>`, and escapes both parts. A URL that isn't http or https becomes plain text. */
export function link(url: string, label?: string): string {
  if (!isWebUrl(url)) return escape(label ?? url)
  const suffix = label === undefined ? '' : `|${escape(label).replaceAll('|', '¦')}`
  return `<${escape(url).replaceAll('|', '%7C')}${suffix}>` // A `|` would end the URL.
}

const MAX_HREF_LENGTH = 1_500 // leaves room in a section for a title and a short URL

export function destinationLink(url: string, max: number): string {
  const shown = readableUrl(url, max)
  const href = url.endsWith('…') ? undefined : webUrl(url)?.href
  return href && escape(href).length <= MAX_HREF_LENGTH ? link(href, shown) : escape(shown)
}

export function shownHost(url: string): string {
  return escape(readableUrl(`https://${URL.parse(url)?.host || url}`, 60))
}

/** Returns the URL in `<https://…|label>`, as Slack writes a link that a user typed. Returns other text unchanged. */
export function unwrapLink(word: string): string {
  return /^<([^|>]+)(?:\|[^>]*)?>$/.exec(word)?.[1] ?? word
}

export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

export function bold(text: string): string {
  return `*${escape(text)}*`
}

const DIRECTION_CHARACTERS = /[\u202a-\u202e\u2066-\u2069]/g

/** The writing direction of isolated text can't affect the text around it. */
export function isolate(text: string): string {
  return `\u2068${text.replace(DIRECTION_CHARACTERS, '')}\u2069`
}

export function mention(userId: string): string {
  return `<@${userId}>`
}

export function ago(isoTime: string): string {
  const timeMs = Date.parse(isoTime)
  return Number.isNaN(timeMs) ? '' : slackDate(timeMs, '{ago}')
}

export function warningText(message: string): string {
  return `:warning: ${escape(message)}`
}

export function day(timeMs: number): string {
  return slackDate(timeMs, '{date_long}')
}

export function shortDay(timeMs: number, nowMs: number): string {
  const isNear = Math.abs(timeMs - nowMs) < 2 * DAY_MS
  return slackDate(timeMs, isNear ? '{date_short}, {time}' : '{date_short}')
}

export function moment(timeMs: number): string {
  const utc = `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return slackDate(timeMs, '{date_long} at {time}', utc)
}

function slackDate(timeMs: number, format: string, fallback = dayOf(timeMs)): string {
  // <!date^1924300800^{date_long}|2030-12-24>
  return `<!date^${Math.floor(timeMs / 1000)}^${format}|${fallback}>`
}
