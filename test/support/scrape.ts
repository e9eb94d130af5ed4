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

const HEAD = /^# (HELP|TYPE) (\S+) (.+)$/
const LINE = /^([a-z][a-z0-9_]*)(?:\{(.+)\})? (\S+)$/
/** A label, whose value escapes backslashes, quotes and line breaks. */
const LABEL = /^([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/

/** Parses Prometheus' text format (version 0.0.4) as prom-client writes it: each family begins with its help text and its type. */
export function parseMetrics(text: string): Scrape {
  const families: Scrape = new Map()
  let family: Family | undefined
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, keyword, name = '', rest = ''] = HEAD.exec(line) ?? []
    if (keyword === 'HELP') {
      if (families.has(name)) throw new Error(`${name} occurs twice`)
      family = { name, help: rest, type: '', samples: [] }
      families.set(name, family)
    } else if (!family) throw new Error(`of no family: ${line}`)
    else if (keyword === 'TYPE') family.type = rest
    else family.samples.push(parseSample(line))
  }
  return families
}

function parseSample(line: string): Sample {
  const [, name, labelText = '', number = ''] = LINE.exec(line) ?? []
  const value = Number(number.replace('Inf', 'Infinity').replace('Nan', 'NaN'))
  if (name === undefined) throw new Error(`not a sample: ${line}`)
  const labels: Record<string, string> = {}
  for (let rest = labelText; rest !== '';) {
    const [whole, key = '', value = ''] = LABEL.exec(rest) ?? []
    if (whole === undefined || key in labels) throw new Error(`invalid labels: ${line}`)
    labels[key] = value
    rest = rest.slice(whole.length)
  }
  return { name, labels, value }
}
