/**
 * An address that may become an `href`; undefined for anything but http, https and mailto, so that
 * no `javascript:` of a hostile app is ever clicked.
 */
export function safeLink(url: unknown): string | undefined {
  return withProtocol(url, ['http:', 'https:', 'mailto:'])
}

/** An address that may become an image's `src`. */
export function safeImage(url: unknown): string | undefined {
  return withProtocol(url, ['http:', 'https:'])
}

function withProtocol(url: unknown, protocols: string[]): string | undefined {
  if (typeof url !== 'string') return undefined
  const parsed = URL.parse(url)
  return parsed && protocols.includes(parsed.protocol) ? parsed.href : undefined
}
