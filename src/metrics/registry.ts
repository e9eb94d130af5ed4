import { collectDefaultMetrics, Registry as PromRegistry, type Metric } from 'prom-client'

/** A metric's name, its help text and the names of its labels. */
export interface Definition<L extends string> {
  name: string
  help: string
  labels?: readonly L[]
}

type Labels<L extends string> = Readonly<Record<L, string>>

/** A number that only grows. */
export interface Counter {
  value: number
}

/** How often values occurred, in ranges. */
export interface Histogram {
  observe(value: number): void
}

/** A value that is read at each scrape. */
export interface Reading<L extends string> {
  labels: Labels<L>
  value: number
}

/**
 * Holds the metrics of one process. What is measured often is counted in plain numbers, which cost some nanoseconds.
 * prom-client gets them only when they are scraped; by itself, it would check and hash the labels each time.
 */
export interface Registry {
  /** @returns a function that returns the counter with these labels, which is created at its first call */
  counter<L extends string = never>(definition: Definition<L>): (labels: Labels<L>) => Counter
  /**
   * @param bounds the upper ends of the ranges, in ascending order
   * @returns a function that returns the histogram with these labels
   */
  histogram<L extends string = never>(
    definition: Definition<L>,
    bounds: readonly number[],
  ): (labels: Labels<L>) => Histogram
  gauge<L extends string = never>(
    definition: Definition<L>,
    read: () => Reading<L>[] | Promise<Reading<L>[]>,
  ): void
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>
  readonly contentType: string
}

/** A line of a scrape. */
interface Sample {
  value: number
  labels: Record<string, string>
  metricName?: string
}

/** Also holds prom-client's own metrics of the process and of Node. */
export function createRegistry(): Registry {
  const registry = new PromRegistry()
  collectDefaultMetrics({ register: registry })

  function add(
    { name, help }: Definition<string>,
    type: 'counter' | 'gauge' | 'histogram',
    read: () => Sample[] | Promise<Sample[]>,
  ): void {
    const metric = {
      name,
      help,
      type,
      get: async () => ({ name, help, type, values: await read() }),
    }
    // prom-client formats what `get` returns. Its types ask for one of its own classes.
    registry.registerMetric(metric as unknown as Metric)
  }

  return {
    counter(definition) {
      const counters = createSeries(definition.labels, () => ({ value: 0 }))
      add(definition, 'counter', () =>
        counters.all().map(({ labels, item: { value } }) => ({ labels, value })),
      )
      return counters.at
    },
    histogram(definition, bounds) {
      const histograms = createSeries(definition.labels, () => new BoundedHistogram(bounds))
      add(definition, 'histogram', () =>
        histograms.all().flatMap(({ labels, item }) => item.samples(definition.name, labels)),
      )
      return histograms.at
    },
    gauge: (definition, read) => add(definition, 'gauge', read),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** Items by their labels. */
function createSeries<L extends string, T>(names: readonly L[] = [], create: () => T) {
  const items = new Map<string, { labels: Labels<L>; item: T }>()
  return {
    at: (labels: Labels<L>): T => {
      const key = JSON.stringify(names.map((name) => labels[name]))
      const known = items.get(key)
      if (known) return known.item
      const item = create()
      items.set(key, { labels, item })
      return item
    },
    all: () => [...items.values()],
  }
}

class BoundedHistogram implements Histogram {
  readonly #bounds: readonly number[]
  /** One for each bound, and one for larger values. */
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = [...bounds, Infinity].map(() => 0)
  }

  observe(value: number): void {
    let at = 0
    while (at < this.#bounds.length && value > (this.#bounds[at] ?? 0)) at++
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
  }

  /** Prometheus' counts include those of all smaller ranges. */
  samples(name: string, labels: Record<string, string>): Sample[] {
    let count = 0
    const buckets = this.#counts.map((counted, at) => {
      count += counted
      const le = at < this.#bounds.length ? String(this.#bounds[at]) : '+Inf'
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }
}
