const MAX_LENGTH = 240

/** Makes a service's text safe for a terminal: one short line, without control characters and without the API key. */
export function shownText(text: string, key: RegExp, maxLength = MAX_LENGTH): string {
  // The key is removed before the text is cut, so that no part of the key remains at the end.
  const escaped = withoutKey(text, key)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maxLength + 1)
    .replaceAll(/[\p{C}\u2028\u2029]/gu, (character) => {
      return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`
    })
  return escaped.length <= maxLength ? escaped : `${escaped.slice(0, maxLength)}…`
}

export function withoutKey(text: string, key: RegExp): string {
  return text.replaceAll(key, '[API key]')
}

/** Matches a key even if some of its characters are escaped for JSON (even twice) or for a URL. */
export function keyPattern(key: string): RegExp {
  return new RegExp(Array.from(key, escapedForms).join(''), 'gi')
}

// Matches at most three backslashes before the character, so that no text causes catastrophic backtracking.
function escapedForms(character: string): string {
  const literal = /\w/.test(character) ? character : `\\${character}`
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0')
  return String.raw`(?:%${hex}|\\{0,3}${literal})`
}
