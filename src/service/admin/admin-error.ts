/** A command that can't be carried out, in words for whoever typed it. */
export class AdminError extends Error {
  override readonly name = 'AdminError'
}
