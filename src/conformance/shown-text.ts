/** The longest text of a request or an answer that is shown, in characters. */
const MAX_LENGTH = 240

/**
 * Makes a text safe for a terminal: on one line, not too long, and without characters that could move the
 * cursor or hide something.
 *
 * @param secret removed, because a service may repeat the API key
 */
export function shownText(text: string, secret: string, maxLength = MAX_LENGTH): string {
  // The key is removed before the text is cut, so that no part of it stays at the end.
  const escaped = withoutKey(text, secret)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxLength + 1)
    .replaceAll(/[\p{C}\u2028\u2029]/gu, (character) => {
      return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`
    })
  return escaped.length <= maxLength ? escaped : `${escaped.slice(0, maxLength)}…`
}

/** Replaces an API key, also if it is escaped for JSON, HTML or a URL (even twice), or in base64 or hex. */
export function withoutKey(text: string, key: string): string {
  const spellings = [Array.from(key, spellingsOf).join(''), ...encodingsOf(Buffer.from(key))]
  return text.replaceAll(new RegExp(spellings.join('|'), 'gi'), '[API key]')
}

const HTML_NAMES: Record<string, string> = {
  '"': 'quot',
  '&': 'amp',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
}

/** A pattern for a character. Its repetitions have limits, so that no text makes the search slow. */
function spellingsOf(character: string): string {
  const code = character.charCodeAt(0)
  const hex = code.toString(16).padStart(2, '0')
  const itself = /\w/.test(character) ? character : `\\${character}`
  const html = [`#0{0,5}${code}`, `#x0{0,5}${hex}`, HTML_NAMES[character] ?? []].flat().join('|')
  const url = `%(?:25){0,3}${hex}`
  return String.raw`(?:${url}|&(?:amp;){0,3}(?:${html});?|\\{0,7}(?:u00${hex}|x${hex}|${itself}))`
}

/** The shortest part of a key that counts as the key, in characters. */
const MIN_ENCODED = 12

/** Patterns for a key in hex and in base64, in which what is next to the key changes its ends. */
function encodingsOf(key: Buffer): string[] {
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), key])
      .toString('base64')
      .slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + key.length) * 8) / 6))
      .replaceAll('+', '[+-]')
      .replaceAll('/', '[/_]'),
  )
  return [key.toString('hex'), ...base64].filter(({ length }) => length >= MIN_ENCODED)
}
