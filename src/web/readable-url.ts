import { domainToUnicode } from 'node:url'

/**
 * How many characters at the end of a host are always shown. That is enough for the part that someone has registered: one
 * label of up to 63 characters and a public suffix, such as `example.co.uk`.
 */
const HOST_END = 100

export function webUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/**
 * Shows the host that a browser would connect to, then the path. The scheme and a user name are left out,
 * because a user name could be mistaken for the host. A host in another script is shown in ASCII (`xn--…`),
 * followed by its own letters.
 *
 * @param max the path is cut first, then the start of the host, but never the host's last 100 characters, so
 *   that the text can be longer
 */
export function readableUrl(text: string, max = Infinity): string {
  const isCut = text.endsWith('…')
  const url = webUrl(isCut ? text.slice(0, -1) : text)
  if (!url) return cutEnd(text.replace(/[\p{Cc}\p{Cf}]/gu, ''), max)
  const path = `${url.pathname}${url.search}${url.hash}`
  const shownPath = withLetters(path === '/' ? '' : path) + (isCut ? '…' : '')
  const host = cutStart(url.host, Math.max(max, HOST_END))
  const letters = ownLetters(url.hostname)
  const left = max - host.length
  if (shownPath.length + letters.length <= left) return host + shownPath + letters
  if (left - letters.length > 2) return host + cutEnd(shownPath, left - letters.length) + letters
  return host + (left >= 2 ? cutEnd(shownPath, left) : '')
}

function ownLetters(hostname: string): string {
  const own = domainToUnicode(hostname)
  // A slash of another script (U+2044) or the like would look like the end of the host.
  const isPlain = own !== hostname && /^[\p{L}\p{N}][\p{L}\p{M}\p{N}.-]*$/u.test(own)
  // Isolated, so that a script that runs from right to left leaves the ASCII host where it is.
  return isPlain ? ` (\u2068${own}\u2069)` : ''
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
