/**
 * Calls that arrive together, or up to `ms` milliseconds after one has succeeded, share its result. This is for checks
 * that anyone may ask for.
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
