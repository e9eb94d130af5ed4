/** Calls share a result until `ms` milliseconds after the work has succeeded, so that many callers don't repeat it. */
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
