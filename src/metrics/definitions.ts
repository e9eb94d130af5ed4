import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

type LabelValues = Readonly<Record<string, readonly string[]>>

/** A label whose values are not known in advance, such as routes. The metric is empty until its first value. */
export const ANY: readonly string[] = []

type NoLabels = Record<string, never>

type Labels<V extends LabelValues> = { readonly [L in keyof V]: V[L][number] }

/** A number is the value of a gauge without labels. */
type GaugeReadings<L extends string> = number | { labels: Record<L, string>; value: number }[]

export interface Definitions {
  counter: <const V extends LabelValues = NoLabels>(
    name: string,
    help: string,
    values?: V,
  ) => { inc(labels: Labels<V>, by?: number): void }
  histogram: <const V extends LabelValues = NoLabels>(
    name: string,
    help: string,
    buckets: number[],
    values?: V,
  ) => { observe(labels: Labels<V>, value: number): void }
  gauge: <L extends string>(
    name: string,
    help: string,
    labelNames: L[],
    read: () => GaugeReadings<L> | Promise<GaugeReadings<L>>,
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
      const counter = new Counter({ name, help, labelNames: Object.keys(values ?? {}), registers })
      // Without a zero before it, Prometheus would not notice the first increase.
      for (const labels of combinations(values ?? {})) counter.inc(labels, 0)
      return counter
    },

    histogram(name, help, buckets, values) {
      const labelNames = Object.keys(values ?? {})
      const histogram = new Histogram({ name, help, labelNames, buckets, registers })
      for (const labels of combinations(values ?? {})) histogram.zero(labels)
      return histogram
    },

    gauge(name, help, labelNames, read) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          // If this metric can't be read, for example without a database, the scrape still has all others.
          const readings = await Promise.try(read).catch(() => [])
          gauge.reset()
          // reset() sets a gauge without labels to 0. Without a reading, it must be missing instead.
          if (labelNames.length === 0) gauge.remove()
          if (typeof readings === 'number') gauge.set(readings)
          else for (const { labels, value } of readings) gauge.set(labels, value)
        },
      })
    },

    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** `{ a: ['x', 'y'], b: ['z'] }` has two combinations: `{ a: 'x', b: 'z' }` and `{ a: 'y', b: 'z' }`. */
function combinations(values: LabelValues): Record<string, string>[] {
  return Object.entries(values).reduce<Record<string, string>[]>(
    (all, [name, labelValues]) =>
      all.flatMap((labels) => labelValues.map((value) => ({ ...labels, [name]: value }))),
    [{}],
  )
}
