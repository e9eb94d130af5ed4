/**
 * Reads a link service's {base_url} (spec §4). It may carry a path (`https://host/links/`).
 *
 * @returns the address without a slash at its end, for a path to be appended to
 * @throws TypeError in words for whoever configured it; the address is not repeated
 */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new TypeError('It must be an http:// or https:// address.')
  }
  if (url.username || url.password) {
    throw new TypeError('It must hold no user name or password: the API key says who calls.')
  }
  if (url.search || url.hash) {
    throw new TypeError('It must hold no ? or #: paths are appended to it.')
  }
  return url.href.replace(/\/+$/, '')
}
