/** Paths of the interface, to be appended to {base_url} (spec §4). */
export const CREATE_PATH = '/api/v1/shortlinks/create_shortlink'
export const LIST_PATH = '/api/v1/shortlinks/get_shortlinks'

/** Carries the API key (spec §5). */
export const API_KEY_HEADER = 'x-api-key'

/** Ours, not the specification's: the same key and body get the first answer again for 24 h. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'
