export class OverloadedError extends Error {
  override readonly name = 'OverloadedError'
  readonly statusCode = 503
}
