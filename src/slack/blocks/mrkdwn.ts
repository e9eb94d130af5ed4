/**
 * Text for Slack's mrkdwn. Whatever a person or a service supplied goes through `escape`, or a
 * title could ping `<!channel>`.
 *
 * @param max characters at most, of the escaped text
 */
export function escape(text: string, max = Infinity): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  if (escaped.length <= max) return escaped
  // Not through an entity, which would no longer be one.
  return `${escaped.slice(0, max - 1).replace(/&[a-z]*$/, '')}…`
}

/** A link with a label; both are escaped here. A `|` in a URL would end it. */
export function link(url: string, label: string): string {
  return `<${escape(url).replaceAll('|', '%7C')}|${escape(label).replaceAll('|', '¦')}>`
}

export function bold(text: string): string {
  return `*${escape(text)}*`
}

/** Text whose direction of writing does not turn what stands around it. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`
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

/** A URL as people read it: without `https://` and a lone slash at its end. */
export function readable(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/^([^/?#]+)\/$/, '$1')
}
