import { parseJson } from '../../src/client/json.ts'
import { failedResponse } from '../../src/client/requests.ts'
import { readApiError, type About } from '../../src/drivers/backhalf/read-api-error.ts'
import type { LinkServiceError } from '../../src/port/failures.ts'

interface ErrorAnswer extends About {
  status: number
  message?: string | undefined
  code?: string | undefined
  details?: Record<string, unknown>
  requestId?: string
}

/** The error that the driver of the specification makes of an error response. */
export function failedCall({
  status,
  message,
  code,
  details,
  requestId,
  ...about
}: ErrorAnswer): LinkServiceError {
  const text = JSON.stringify({ error: { message, code, details } })
  const header = (name: string): string | undefined =>
    name === 'x-request-id' ? requestId : undefined
  const request = { mayConflict: { backHalf: true }, ...about }
  const read = readApiError(parseJson(text, 'bh_hunter2'), status, request)
  return failedResponse({ status, text, header }, read, 0)
}

/** There is no such link. */
export const goneError = (): LinkServiceError => failedCall({ status: 404, isAboutLink: true })
