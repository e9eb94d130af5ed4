/** As much of a Slack message as links are found in. */
export interface MessageWithLinks {
  text?: string | undefined
  blocks?: unknown
}

/**
 * The http and https links of a message, each once, in the order in which they stand: those of
 * its text (`<url|label>`, with Slack's entities), then those of its blocks (`{type: "link"}`).
 */
export function parseMessageLinks({ text = '', blocks }: MessageWithLinks): string[] {
  const inText = [...text.matchAll(/<(https?:\/\/[^|>\s]+)(?:\|[^>]*)?>/gi)].map(([, url]) =>
    unescaped(url ?? ''),
  )
  return [...new Set([...inText, ...linksOf(blocks)])]
}

function linksOf(json: unknown): string[] {
  if (Array.isArray(json)) return json.flatMap(linksOf)
  if (typeof json !== 'object' || json === null) return []
  if ('type' in json && json.type === 'link' && 'url' in json && typeof json.url === 'string') {
    return /^https?:\/\//i.test(json.url) ? [json.url] : []
  }
  return Object.values(json).flatMap(linksOf)
}

/** Slack escapes these three, and no more. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
