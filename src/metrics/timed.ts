/**
 * Returns the same object, with the time of some of its methods reported: how long until their promise
 * settles.
 *
 * @param names what each measured method counts as
 */
export function timed<T extends object, N extends { readonly [K in keyof T]?: unknown }>(
  target: T,
  names: N,
  report: (name: NonNullable<N[keyof N]>, seconds: number, error?: unknown) => void,
): T {
  return new Proxy(target, {
    get(_target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      const method = value.bind(target) as (...args: unknown[]) => unknown
      const name = names[key as keyof N]
      if (name === undefined || name === null) return method
      return async (...args: unknown[]) => {
        const start = performance.now()
        const done = (error?: unknown): void =>
          report(name, (performance.now() - start) / 1_000, error)
        try {
          const result = await method(...args)
          done()
          return result
        } catch (error) {
          done(error)
          throw error
        }
      }
    },
  })
}
