/** Longest name or description in characters. */
export const ONE_LINE_LENGTH = 200

/** Whether a text can be a name or a description of something: one line, not too long. */
export function isOneLine(text: string): boolean {
  return text.length <= ONE_LINE_LENGTH && !/\p{Cc}/u.test(text)
}
