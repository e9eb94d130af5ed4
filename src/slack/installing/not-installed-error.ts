/** The app has no token for a workspace. */
export class NotInstalledError extends Error {
  constructor(reason = 'the app is not installed in this workspace') {
    super(reason)
    this.name = 'NotInstalledError'
  }
}
