/** Slack escapes these three and no others. `&amp;` comes last, or `&amp;lt;` would become `<`. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
