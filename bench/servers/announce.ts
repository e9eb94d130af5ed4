/** Where a server under load is reached. */
export interface Announcement {
  baseUrl: string
  apiKey: string
}

/** Tells the benchmark, which started this process, that the server is ready. */
export function announce(announcement: Announcement): void {
  process.send?.(announcement)
}
