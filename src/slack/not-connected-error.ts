/** The workspace has no link service yet. */
export class NotConnectedError extends Error {
  constructor() {
    super('the workspace is not connected to a link service')
    this.name = 'NotConnectedError'
  }
}
