/** Complete links, mentions and entities. Any other `<`, `>` or `&` in mrkdwn is the rest of a broken one. */
const WHOLE = /<[^<>]+>|&(?:amp|lt|gt);/g

/** The texts of a message or a view that were cut through a character, an entity or a link. */
export function brokenTexts(content: unknown): string[] {
  const broken: string[] = []
  JSON.stringify(content, (_key, value: unknown) => {
    if (typeof value === 'string' && !value.isWellFormed()) broken.push(value)
    if (isMrkdwn(value) && /[<>&]/.test(value.text.replace(WHOLE, ''))) broken.push(value.text)
    return value
  })
  return broken.map((text) => text.slice(-80))
}

function isMrkdwn(value: unknown): value is { text: string } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'mrkdwn'
}
