/** Keys that can't be used, or something sealed that they don't open. It holds no secret. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError'
}
