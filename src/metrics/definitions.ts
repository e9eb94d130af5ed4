import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

type LabelValues = Readonly<Record<string, readonly string[]>>

/**
 * Declares a label whose values are not known in advance, such as the routes of a server. The metric is empty until its
 * first value.
 */
export const ANY: readonly string[] = []

type Labels<V extends LabelValues> = { readonly [L in keyof V]: V[L][number] }

interface GaugeReading<L extends string> {
  labels: Readonly<Record<L, string>>
  value: number
}

export type Definitions = ReturnType<typeof createDefinitions>

export function createDefinitions() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  function counter<const V extends LabelValues = Record<string, never>>(
    name: string,
    help: string,
    values = {} as V,
  ) {
    const metric = new Counter({ name, help, labelNames: Object.keys(values), registers })
    // Without a zero before it, Prometheus would not notice the first increase.
    for (const labels of combinations(values)) metric.inc(labels, 0)
    return { inc: (labels: Labels<V>, by?: number) => metric.inc(labels, by) }
  }

  function histogram<const V extends LabelValues = Record<string, never>>(
    name: string,
    help: string,
    buckets: number[],
    values = {} as V,
  ) {
    const labelNames = Object.keys(values)
    const metric = new Histogram({ name, help, labelNames, buckets, registers })
    for (const labels of combinations(values)) metric.zero(labels)
    return { observe: (labels: Labels<V>, value: number) => metric.observe(labels, value) }
  }

  function gauge<L extends string>(
    name: string,
    help: string,
    labelNames: L[],
    read: () => GaugeReading<L>[] | Promise<GaugeReading<L>[]>,
  ): void {
    const metric: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        // If this metric can't be read, for example without a database, the scrape still has all others.
        const readings = await Promise.try(read).catch(() => [])
        metric.reset()
        // reset() sets a gauge without labels to 0. Without a reading, it must be missing instead.
        if (labelNames.length === 0) metric.remove()
        for (const { labels, value } of readings) metric.set(labels, value)
      },
    })
  }

  const text = (): Promise<string> => registry.metrics()
  return { counter, histogram, gauge, text, contentType: registry.contentType }
}

/** `{ a: ['x', 'y'], b: ['z'] }` has two combinations: `{ a: 'x', b: 'z' }` and `{ a: 'y', b: 'z' }`. */
function combinations(values: LabelValues): Record<string, string>[] {
  return Object.entries(values).reduce<Record<string, string>[]>(
    (all, [name, labelValues]) =>
      all.flatMap((labels) => labelValues.map((value) => ({ ...labels, [name]: value }))),
    [{}],
  )
}
