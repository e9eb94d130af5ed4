import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The names of a metric's labels, with the values that are known in advance. */
type LabelValues = Readonly<Record<string, readonly string[]>>

/** For a label whose values are not known in advance, such as the routes of a server. */
export const ANY: readonly string[] = []

type Labels<V extends LabelValues> = { readonly [L in keyof V]: V[L][number] }

/** prom-client's own counter. TypeScript also checks the values of the labels. */
interface LabeledCounter<V extends LabelValues> {
  inc(labels: Labels<V>, by?: number): void
}

interface LabeledHistogram<V extends LabelValues> {
  observe(labels: Labels<V>, value: number): void
}

/** A value that is read at each scrape. */
export interface Reading<L extends string> {
  labels: Readonly<Record<L, string>>
  value: number
}

export type Definitions = ReturnType<typeof createDefinitions>

/** Functions that define metrics in a registry of their own, which also has prom-client's metrics of the process. */
export function createDefinitions() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  /** Defines a number that only grows. */
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

  /**
   * Defines how often values occurred, in ranges.
   *
   * @param buckets the upper ends of the ranges, in ascending order
   */
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

  /** Defines values that are read at each scrape. */
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
    /** All metrics in Prometheus' text format. */
    text: () => registry.metrics(),
    /** The media type of the text. */
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
