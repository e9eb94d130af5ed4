const DAY = 24 * 60 * 60

/** The reader's time and locale. `locale` and `zone`, an IANA name, default to the browser's. */
interface Reader {
  /** Seconds since 1970. */
  now: number
  locale?: string | undefined
  zone?: string | undefined
}

const STYLES: Record<string, Intl.DateTimeFormatOptions> = {
  date_num: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date: { year: 'numeric', month: 'long', day: 'numeric' },
  date_short: { year: 'numeric', month: 'short', day: 'numeric' },
  date_long: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
  time_secs: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
}

/**
 * Replaces the `{date}` tokens of a `<!date^…>` as Slack does. Unknown tokens remain.
 *
 * @param at seconds since 1970
 */
export function formatDate(at: number, format: string, reader: Reader): string {
  return format.replaceAll(/\{(\w+)\}/g, (token, name: string) => {
    if (name === 'ago') return ago(at, reader)
    const style = name.replace(/_pretty$/, '')
    const options = STYLES[style]
    if (!options) return token
    const near = name.endsWith('_pretty') ? nearDay(at, reader) : undefined
    return near ?? dateFormat(reader, options).format(at * 1000)
  })
}

/** “3 minutes ago” in the reader's language. */
export function ago(at: number, { now, locale }: Reader): string {
  const units = [
    ['year', 365 * DAY],
    ['month', 30 * DAY],
    ['day', DAY],
    ['hour', 60 * 60],
    ['minute', 60],
  ] as const
  const past = at - now
  const [unit, size] = units.find(([, seconds]) => Math.abs(past) >= seconds) ?? ['second', 1]
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(
    unit === 'second' ? 0 : Math.trunc(past / size),
    unit,
  )
}

/** “yesterday”, “today” or “tomorrow”; undefined for any other day. */
function nearDay(at: number, reader: Reader): string | undefined {
  const day = (seconds: number): number => {
    const parts = dateFormat({ ...reader, locale: 'sv' }, STYLES.date_num ?? {})
    return Date.parse(parts.format(seconds * 1000)) / 1000 / DAY
  }
  const days = day(at) - day(reader.now)
  if (Math.abs(days) > 1) return undefined
  return new Intl.RelativeTimeFormat(reader.locale, { numeric: 'auto' }).format(days, 'day')
}

function dateFormat({ locale, zone }: Reader, options: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat(locale, {
    ...options,
    ...(zone !== undefined && { timeZone: zone }),
  })
}
