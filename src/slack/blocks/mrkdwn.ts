import { cut } from './limits.ts'

/**
 * Text for Slack's mrkdwn. Whatever a person or a service supplied goes through `escape`, or a
 * title could ping `<!channel>`.
 *
 * @param max characters at most, of the escaped text
 */
export function escape(text: string, max = Infinity): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return cutMarkup(escaped, max)
}

/** Cuts mrkdwn, and never through an entity, a link or a mention, which would no longer be one. */
export function cutMarkup(mrkdwn: string, max: number): string {
  if (mrkdwn.length <= max) return mrkdwn
  return cut(mrkdwn, max).replace(/(?:<[^<>]*|&[a-z]*)…$/, '…')
}

/** A link, with a label or as it is; both are escaped here. A `|` in a URL would end it. */
export function link(url: string, label?: string): string {
  const words = label === undefined ? '' : `|${escape(label).replaceAll('|', '¦')}`
  return `<${escape(url).replaceAll('|', '%7C')}${words}>`
}

export function bold(text: string): string {
  return `*${escape(text)}*`
}

/** Characters that set a direction of writing, or end one: they would reach beyond the text. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g

/** Text whose direction of writing does not turn what stands around it. */
export function isolate(text: string): string {
  return `\u2068${text.replace(DIRECTIONS, '')}\u2069`
}

export function mention(userId: string): string {
  return `<@${userId}>`
}

/** How long ago, in the reader's own words; the date stands where a client can't work it out. */
export function ago(isoTime: string): string {
  const time = Date.parse(isoTime)
  if (Number.isNaN(time)) return ''
  const day = new Date(time).toISOString().slice(0, 10)
  return `<!date^${Math.floor(time / 1000)}^{ago}|${day}>`
}

/** A day as the reader's Slack writes it. @param time milliseconds since 1970 */
export function day(time: number): string {
  const iso = new Date(time).toISOString().slice(0, 10)
  return `<!date^${Math.floor(time / 1000)}^{date_long}|${iso}>`
}

/**
 * A URL as people read it: without `https://`, a lone slash at its end, and a user name, which may be
 * there to be taken for the host.
 */
export function readable(url: string): string {
  return url.replace(/^https?:\/\/(?:[^/\\?#]*@)?/i, '').replace(/^([^/?#]+)\/$/, '$1')
}
