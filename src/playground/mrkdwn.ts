/** What a person typed, as Slack stores it: `&`, `<` and `>` escaped, addresses in `<…>`. */
export function asMrkdwn(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/https?:\/\/(?:(?!&[lg]t;)\S)+[^\s.,;:!?)&]/g, '<$&>')
}
