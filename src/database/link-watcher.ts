/** Is notified when links change, whichever process changes them. */
export interface LinkWatcher {
  /** These links have changed. */
  changed(linkIds: readonly string[]): void
  /** Any link may have changed. */
  missed(): void
  /** Changes can't be seen until `missed` is called. */
  lost(reason: unknown): void
}
