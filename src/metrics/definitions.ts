import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

type LabelValues = Readonly<Record<string, readonly string[]>>

/** Declares a label whose values are not known in advance, such as the routes of a server. */
export const ANY: readonly string[] = []

type NoLabels = Record<string, never>

type Labels<V extends LabelValues> = { readonly [L in keyof V]: V[L][number] }

interface LabeledCounter<V extends LabelValues = NoLabels> {
  inc(labels: Labels<V>, by?: number): void
}

interface LabeledHistogram<V extends LabelValues = NoLabels> {
  observe(labels: Labels<V>, value: number): void
}

interface Reading<L extends string> {
  labels: Readonly<Record<L, string>>
  value: number
}

export interface Definitions {
  counter: <const V extends LabelValues>(name: string, help: string, values: V) => LabeledCounter<V>
  histogram: <const V extends LabelValues>(
    name: string,
    help: string,
    buckets: number[],
    values: V,
  ) => LabeledHistogram<V>
  gauge: <L extends string>(
    name: string,
    help: string,
    labelNames: L[],
    read: () => Reading<L>[] | Promise<Reading<L>[]>,
  ) => void
  text: () => Promise<string>
  contentType: string
}

export function createDefinitions(): Definitions {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  return {
    counter(name, help, values) {
      const defined = new Counter({ name, help, labelNames: Object.keys(values), registers })
      // Prometheus sees the first increase only if it has seen a zero before.
      for (const labels of combinations(values)) defined.inc(labels, 0)
      return defined
    },

    histogram(name, help, buckets, values) {
      const labelNames = Object.keys(values)
      const defined = new Histogram({ name, help, labelNames, buckets, registers })
      for (const labels of combinations(values)) defined.zero(labels)
      return defined
    },

    gauge(name, help, labelNames, read) {
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
          // A reset sets a gauge without labels to 0, although its value is unknown.
          if (labelNames.length === 0) defined.remove()
          for (const { labels, value } of readings) defined.set(labels, value)
        },
      })
    },

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
