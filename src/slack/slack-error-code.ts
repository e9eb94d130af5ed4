/** Slack's own error code of a Web API call that failed (`hash_conflict`, `invalid_blocks` …). */
export function slackErrorCode(error: unknown): string | undefined {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined
  return typeof data === 'object' &&
    data !== null &&
    'error' in data &&
    typeof data.error === 'string'
    ? data.error
    : undefined
}

/** Whether a view was changed or closed since somebody saw it: there is nothing left to do. */
export function isOvertaken(error: unknown): boolean {
  return ['hash_conflict', 'not_found'].includes(slackErrorCode(error) ?? '')
}
