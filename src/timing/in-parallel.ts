/** Runs a task for each item, at most `limit` at the same time. @returns the results in the order of the items */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  task: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  // All workers take their items from this iterator, so each item is taken once.
  const remaining = items.entries()
  async function work(): Promise<void> {
    for (const [index, item] of remaining) results[index] = await task(item, index)
  }
  await Promise.all(Array.from({ length: limit }, work))
  return results
}
