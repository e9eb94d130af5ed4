import { domainToUnicode } from 'node:url'

/** Enough for the registered domain, which is always shown: a label of up to 63 characters and a public suffix. */
const SHOWN_HOST_END = 100

export function webUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/**
 * Formats a URL so that people see where it leads: `example.com/spring`. Shows the host that a browser would connect
 * to, then the path. A user name is left out, because it could be mistaken for the host. A host in another script is
 * shown in ASCII (`xn--…`), and then in its own script.
 * @param max if the text is longer, the path is cut first, then the start of the host. The host's last 100 characters
 * are always shown, even if the text is then longer
 */
export function readableUrl(text: string, max = Infinity): string {
  const isCut = text.endsWith('…')
  const url = webUrl(isCut ? text.slice(0, -1) : text)
  if (!url) return cutEnd(text.replace(/[\p{Cc}\p{Cf}]/gu, ''), max)
  const path = `${url.pathname}${url.search}${url.hash}`
  const shownPath = withLetters(path === '/' ? '' : path) + (isCut ? '…' : '')
  const host = cutStart(url.host, Math.max(max, SHOWN_HOST_END))
  const letters = unicodeHost(url.hostname)
  const left = max - host.length
  if (shownPath.length + letters.length <= left) return host + shownPath + letters
  if (left - letters.length > 2) return host + cutEnd(shownPath, left - letters.length) + letters
  return host + (left >= 2 ? cutEnd(shownPath, left) : '')
}

function unicodeHost(hostname: string): string {
  const host = domainToUnicode(hostname)
  // A character that looks like a slash (such as U+2044) would look like the end of the host.
  const isPlain = host !== hostname && /^[\p{L}\p{N}][\p{L}\p{M}\p{N}.-]*$/u.test(host)
  // Isolates (U+2068, U+2069) keep a script that runs from right to left from moving the ASCII host.
  return isPlain ? ` (\u2068${host}\u2069)` : ''
}

function withLetters(path: string): string {
  return path.replace(/(?:%[89A-F][0-9A-F])+/gi, (encoded) => {
    try {
      const text = decodeURIComponent(encoded)
      return /^[\p{L}\p{N}][\p{L}\p{N}\p{Mn}\p{Mc}]*$/u.test(text) ? text : encoded
    } catch {
      return encoded
    }
  })
}

function cutEnd(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function cutStart(text: string, max: number): string {
  return text.length <= max ? text : `…${text.slice(1 - max)}`
}
