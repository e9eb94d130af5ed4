/** A line of a scrape. */
export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

export interface Family {
  name: string
  type: string
  help: string
  samples: Sample[]
}

/** A scrape, by the names of the families. */
export type Scrape = Map<string, Family>

/**
 * Scrapes a URL as Prometheus does.
 *
 * @throws if the text breaks a rule of the format
 */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url)
  const type = response.headers.get('content-type')
  if (response.status !== 200 || type !== 'text/plain; version=0.0.4; charset=utf-8') {
    throw new Error(`${response.status} ${type}`)
  }
  return parseMetrics(await response.text())
}

/** The sum of a family's values with these labels. For a histogram, the number of observations. */
export function total(
  scraped: Scrape,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const family = scraped.get(name)
  if (!family) throw new Error(`there is no ${name}`)
  const counted = family.type === 'histogram' ? `${name}_count` : name
  return family.samples
    .filter((sample) => sample.name === counted)
    .filter((sample) =>
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0)
}

const SUFFIXES: Record<string, string[]> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
}
const HEAD = /^# (HELP|TYPE) ([a-z][a-z0-9_]*) (.+)$/
const LINE = /^([a-z][a-z0-9_]*)(?:\{(.+)\})? (\S+)$/
/** A label, whose value escapes backslashes, quotes and line breaks. */
const LABEL = /^([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/
const NUMBER = /^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[+-]Inf|Nan)$/

/**
 * Parses Prometheus' text format (version 0.0.4), more strictly than Prometheus: every family has a help text and a
 * type, in this order and only once, and its samples follow; no series occurs twice; histograms add up.
 */
export function parseMetrics(text: string): Scrape {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families: Scrape = new Map()
  const seen = new Set<string>()
  let family: Family | undefined
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, keyword, headName = '', rest = ''] = HEAD.exec(line) ?? []
    if (keyword === 'HELP') {
      if (families.has(headName)) throw new Error(`${headName} occurs twice`)
      family = { name: headName, help: rest, type: '', samples: [] }
      families.set(headName, family)
    } else if (keyword === 'TYPE') {
      if (family?.name !== headName || family.type) throw new Error(`unexpected: ${line}`)
      if (!SUFFIXES[rest]) throw new Error(`unknown type: ${line}`)
      family.type = rest
    } else {
      const sample = parseSample(line)
      const { name, type } = family ?? { name: '', type: '' }
      if (!SUFFIXES[type]?.some((suffix) => sample.name === name + suffix)) {
        throw new Error(`not a sample of ${name}: ${line}`)
      }
      const series = line.slice(0, line.lastIndexOf(' '))
      if (seen.has(series)) throw new Error(`${series} occurs twice`)
      seen.add(series)
      family?.samples.push(sample)
    }
  }
  for (const one of families.values()) if (one.type === 'histogram') checkHistogram(one)
  return families
}

function parseSample(line: string): Sample {
  const [, name, labelText = '', number = ''] = LINE.exec(line) ?? []
  if (name === undefined || !NUMBER.test(number)) throw new Error(`not a sample: ${line}`)
  const labels: Record<string, string> = {}
  for (let rest = labelText; rest !== '';) {
    const [whole, key = '', value = ''] = LABEL.exec(rest) ?? []
    if (whole === undefined || key in labels) throw new Error(`invalid labels: ${line}`)
    labels[key] = value
    rest = rest.slice(whole.length)
  }
  return { name, labels, value: Number(number.replace('Inf', 'Infinity')) }
}

function checkHistogram({ name, samples }: Family): void {
  const series = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  for (const [labels, ofSeries] of series) {
    const buckets = ofSeries.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels: { le = '' } }) => Number(le.replace('Inf', 'Infinity')))
    const counts = buckets.map(({ value }) => value)
    const ascends = (values: number[], mayBeEqual: boolean): boolean =>
      values.every((value, at) => {
        const before = values[at - 1] ?? -Infinity
        return mayBeEqual ? value >= before : value > before
      })
    const [sum, count] = ['_sum', '_count'].map((suffix) =>
      ofSeries.filter((sample) => sample.name === name + suffix).map(({ value }) => value),
    )
    const adds =
      ascends(bounds, false) &&
      bounds.at(-1) === Infinity &&
      ascends(counts, true) &&
      sum?.length === 1 &&
      count?.length === 1 &&
      count[0] === counts.at(-1)
    if (!adds) throw new Error(`the histogram ${name}${labels} does not add up`)
  }
}
