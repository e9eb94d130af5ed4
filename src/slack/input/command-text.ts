/** What `/shorten …` asks for. `rest` is the text after the word that says so. */
export type CommandText =
  | { name: 'form' | 'help' | 'connect' | 'settings' | 'disconnect' }
  | { name: 'list' | 'shorten'; rest: string }
  | { name: 'unknown'; word: string }

/** Reads the text after `/shorten` as far as telling what is wanted. */
export function parseCommandText(text: string): CommandText {
  const trimmed = text.trim()
  const word = /^\S*/.exec(trimmed)?.[0] ?? ''
  switch (word.toLowerCase()) {
    case '':
      return { name: 'form' }
    case 'help':
      return { name: 'help' }
    case 'connect':
      return { name: 'connect' }
    case 'settings':
      return { name: 'settings' }
    case 'disconnect':
      return { name: 'disconnect' }
    case 'list':
      return { name: 'list', rest: trimmed.slice(word.length).trim() }
  }
  const mayBeLink = /[.:=<]|^localhost\b/i.test(word)
  return mayBeLink ? { name: 'shorten', rest: trimmed } : { name: 'unknown', word }
}
