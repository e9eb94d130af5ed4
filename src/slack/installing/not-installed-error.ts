/** The app has no token for a workspace. */
export class NotInstalledError extends Error {
  constructor() {
    super('the app is not installed in this workspace')
    this.name = 'NotInstalledError'
  }
}
