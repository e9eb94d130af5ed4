/** The workspace has no link service: none yet, or an admin disconnected it. */
export class NotConnectedError extends Error {
  constructor() {
    super('the workspace is not connected to a link service')
    this.name = 'NotConnectedError'
  }
}
