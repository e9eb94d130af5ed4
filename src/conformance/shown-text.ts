const MAX_LENGTH = 240

/**
 * Makes a text safe for a terminal: on one line, not too long, and without characters that could move the cursor or
 * hide something. Removes the secret, because a service might repeat the API key.
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

/** Finds the key even if some of its characters are escaped for JSON (even twice) or for a URL. */
export function withoutKey(text: string, key: string): string {
  return text.replaceAll(new RegExp(Array.from(key, spellingsOf).join(''), 'gi'), '[API key]')
}

/** The repetition has a limit, so that no text makes the search slow. */
function spellingsOf(character: string): string {
  const itself = /\w/.test(character) ? character : `\\${character}`
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0')
  return String.raw`(?:%${hex}|\\{0,3}${itself})`
}
