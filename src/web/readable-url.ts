import { domainToUnicode } from 'node:url'

// Enough for a registered domain, which has a label of at most 63 characters and a public suffix.
const ALWAYS_SHOWN_HOST_LENGTH = 100

export function webUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/**
 * Formats a URL so that people see where it leads: `example.com/spring`. Shows the host that a browser would connect
 * to, then the path. Leaves out a user name, because it could be mistaken for the host. Shows an internationalized host
 * in ASCII (`xn--…`), and after the path again in its own script.
 * @param max the length of the result. To fit, the path is cut, then the host in its own script is left out, then the
 *   start of the host is cut. But the last 100 characters of the host are shown even if the result then exceeds `max`
 */
export function readableUrl(text: string, max = Infinity): string {
  const isAlreadyCut = text.endsWith('…')
  const url = webUrl(isAlreadyCut ? text.slice(0, -1) : text)
  if (!url) return cut(text.replace(/[\p{Cc}\p{Cf}]/gu, ''), max)
  const rawPath = `${url.pathname}${url.search}${url.hash}`
  const path = decodeLetters(rawPath === '/' ? '' : rawPath) + (isAlreadyCut ? '…' : '')
  const host = cutStart(url.host, Math.max(max, ALWAYS_SHOWN_HOST_LENGTH))
  const unicodeHost = unicodeHostText(url.hostname)
  const roomForPath = max - host.length - unicodeHost.length
  if (roomForPath >= Math.min(path.length, 3)) return host + cut(path, roomForPath) + unicodeHost
  // There is no room for the host in its own script.
  const room = max - host.length
  return host + (room >= 2 ? cut(path, room) : '')
}

function unicodeHostText(hostname: string): string {
  const host = domainToUnicode(hostname)
  // A character that looks like a slash, such as U+2044, would make the rest of the host look like a path.
  const isPlain = host !== hostname && /^[\p{L}\p{N}][\p{L}\p{M}\p{N}.-]*$/u.test(host)
  // Without the isolates U+2068 and U+2069, a script that runs from right to left would move the ASCII host.
  return isPlain ? ` (\u2068${host}\u2069)` : ''
}

function decodeLetters(path: string): string {
  // Only letters and digits are decoded, such as %C3%BC to ü, because other characters could mislead.
  return path.replace(/(?:%[89A-F][0-9A-F])+/gi, (encoded) => {
    try {
      const text = decodeURIComponent(encoded)
      return /^[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*$/u.test(text) ? text : encoded
    } catch {
      return encoded
    }
  })
}

/** Shortens text to at most `max` UTF-16 units, with `…` at its end, but never cuts through a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function cutStart(text: string, max: number): string {
  return text.length <= max ? text : `…${text.slice(1 - max)}`
}
