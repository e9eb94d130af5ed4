/**
 * Shares a run of the work between all calls until `ms` milliseconds after it has succeeded. If it fails, the next call
 * runs it again.
 */
export function sharedFor<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined
  let validUntil = Infinity
  return () => {
    if (shared && performance.now() < validUntil) return shared
    validUntil = Infinity
    shared = work()
    shared.then(
      () => (validUntil = performance.now() + ms),
      () => (shared = undefined),
    )
    return shared
  }
}
