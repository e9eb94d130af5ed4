/** Why a request is refused in order to protect all others. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError'
  readonly statusCode = 503
}
