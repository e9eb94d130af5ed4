/** The longest text of a request or an answer that is shown, in characters. */
const MAX_LENGTH = 240

/**
 * Makes a text safe for a terminal: on one line, not too long, and without characters that could move the
 * cursor or hide something.
 *
 * @param secret removed, because a service may repeat the API key
 */
export function shownText(text: string, secret: string, maxLength = MAX_LENGTH): string {
  // Long enough that a key on the border is removed as a whole.
  const start = text.slice(0, maxLength + 2 * secret.length + 1_000)
  const escaped = start
    .replaceAll(spellingsOf(secret), '[API key]')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{C}\u2028\u2029]/gu, (character) => {
      return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`
    })
    .trim()
  return escaped.length <= maxLength ? escaped : `${escaped.slice(0, maxLength)}…`
}

/** Matches a key as it is, in JSON and in a URL. */
function spellingsOf(secret: string): RegExp {
  const spellings = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
  const patterns = spellings.map((text) => text.replaceAll(/[^\w]/g, (special) => `\\${special}`))
  return new RegExp(patterns.join('|'), 'g')
}
