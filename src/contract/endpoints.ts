/** Paths of the link service's API, relative to {base_url} (spec §4). */
export const CREATE_PATH = '/api/v1/shortlinks/create_shortlink'
export const LIST_PATH = '/api/v1/shortlinks/get_shortlinks'

/** Our paths beyond the specification. The OpenAPI document says which of them a service has. */
export const OPENAPI_PATH = '/api/v1/openapi.json'
export const SHORTLINKS_PATH = '/api/v1/shortlinks'
export const DOMAINS_PATH = '/api/v1/domains'
export const REPORTS_PATH = '/api/v1/reports'
export const TAGS_PATH = '/api/v1/tags'
export const SIGN_INS_PATH = '/api/v1/dashboard/sign-ins'
export const SESSIONS_PATH = '/api/v1/dashboard/sessions'
export const PEOPLE_PATH = '/api/v1/people'

export const API_KEY_HEADER = 'x-api-key'

/** Our own header: who creates, changes or deletes a link, percent-encoded: `T0TEST-U0ANA Ana%20Garc%C3%ADa`. */
export const CREATED_BY_HEADER = 'x-created-by'

/** Beyond the specification: the ID of the user's request, for the logs of both sides, also as W3C Trace Context. */
export const REQUEST_ID_HEADER = 'x-request-id'
export const TRACEPARENT_HEADER = 'traceparent'

/** Beyond the specification: for 24 hours, a repeated request to create a link gets the first response again. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'

export function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}

/**
 * Reads the {base_url} of a link service (spec §4), such as `https://host/links/`, without slashes at its end.
 * @throws TypeError that does not repeat the URL, which might contain a secret
 */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new TypeError('The link service’s URL must start with http:// or https://.')
  }
  if (url.username || url.password) {
    throw new TypeError(
      'The link service’s URL must not contain a user name or password: the API key identifies the caller.',
    )
  }
  if (url.search || url.hash) {
    throw new TypeError('The link service’s URL must not contain ? or #: paths are appended to it.')
  }
  // The lookbehind keeps the search fast: without it, the time would grow with the square of the number of slashes.
  return url.href.replace(/(?<!\/)\/+$/, '')
}
