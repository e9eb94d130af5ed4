import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

type LabelValues = Readonly<Record<string, readonly string[]>>

/** For a label whose values are not known in advance, such as the routes of a server. */
export const ANY: readonly string[] = []

type Labels<V extends LabelValues> = { readonly [L in keyof V]: V[L][number] }

interface LabeledCounter<V extends LabelValues> {
  inc(labels: Labels<V>, by?: number): void
}

interface LabeledHistogram<V extends LabelValues> {
  observe(labels: Labels<V>, value: number): void
}

export interface Reading<L extends string> {
  labels: Readonly<Record<L, string>>
  value: number
}

export type Definitions = ReturnType<typeof createDefinitions>

export function createDefinitions() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  function counter<const V extends LabelValues>(
    name: string,
    help: string,
    values: V,
  ): LabeledCounter<V> {
    const defined = new Counter({ name, help, labelNames: Object.keys(values), registers })
    // Prometheus sees an increase only if it has seen the value before.
    for (const labels of combinations(values)) defined.inc(labels, 0)
    return defined
  }

  function histogram<const V extends LabelValues>(
    name: string,
    help: string,
    buckets: number[],
    values: V,
  ): LabeledHistogram<V> {
    const labelNames = Object.keys(values)
    const defined = new Histogram({ name, help, labelNames, buckets, registers })
    for (const labels of combinations(values)) defined.zero(labels)
    return defined
  }

  function gauge<L extends string>(
    name: string,
    help: string,
    labelNames: L[],
    read: () => Reading<L>[] | Promise<Reading<L>[]>,
  ): void {
    const defined: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        // An unavailable database must not hide the other metrics.
        const readings = await Promise.resolve()
          .then(read)
          .catch(() => [])
        defined.reset()
        if (labelNames.length === 0) defined.remove() // Without labels, a reset leaves the value 0.
        for (const { labels, value } of readings) defined.set(labels, value)
      },
    })
  }

  return {
    counter,
    histogram,
    gauge,
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** All combinations of known values: `{ a: ['x', 'y'], b: ['z'] }` has `x z` and `y z`. */
function combinations(values: LabelValues): Record<string, string>[] {
  return Object.entries(values).reduce<Record<string, string>[]>(
    (all, [name, known]) =>
      all.flatMap((labels) => known.map((value) => ({ ...labels, [name]: value }))),
    [{}],
  )
}
