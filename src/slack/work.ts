/** Counts what is under way, so that a stop can wait for it: Bolt's own stop does not. */
export interface Work {
  /** Runs the task and counts it until it has ended, well or badly. */
  track<T>(task: () => Promise<T>): Promise<T>
  /** Resolves once nothing is under way any more, work that comes meanwhile included. */
  drained(): Promise<void>
}

export function createWork(): Work {
  const underWay = new Set<Promise<unknown>>()
  return {
    track(task) {
      const promise = task()
      underWay.add(promise)
      const done = (): boolean => underWay.delete(promise)
      promise.then(done, done)
      return promise
    },
    async drained() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}
