/**
 * A URL that is safe as an `href`; undefined unless it is http, https or mailto, so that a click
 * never runs the `javascript:` of a hostile app.
 */
export function safeLink(url: unknown): string | undefined {
  return withProtocol(url, ['http:', 'https:', 'mailto:'])
}

/** A URL that is safe as an image's `src`. */
export function safeImage(url: unknown): string | undefined {
  return withProtocol(url, ['http:', 'https:'])
}

function withProtocol(url: unknown, protocols: string[]): string | undefined {
  if (typeof url !== 'string') return undefined
  const parsed = URL.parse(url)
  return parsed && protocols.includes(parsed.protocol) ? parsed.href : undefined
}
