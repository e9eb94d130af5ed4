export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  task: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  async function work(): Promise<void> {
    for (const [index, item] of waiting) results[index] = await task(item, index)
  }
  await Promise.all(Array.from({ length: limit }, work))
  return results
}
