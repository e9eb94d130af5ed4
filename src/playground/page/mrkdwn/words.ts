const DAY_SECONDS = 24 * 60 * 60

interface Reader {
  nowSeconds: number
  locale?: string | undefined
  zone?: string | undefined
}

const STYLES: Record<string, Intl.DateTimeFormatOptions> = {
  date_long: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  date_short: { year: 'numeric', month: 'short', day: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
}

/** Fills in the format of a `<!date^…>`, such as `{date_short} at {time}`. Unknown tokens remain. */
export function formatDate(atSeconds: number, format: string, reader: Reader): string {
  const { locale, zone: timeZone } = reader
  return format.replaceAll(/\{(\w+)\}/g, (token, name: string) => {
    if (name === 'ago') return ago(atSeconds, reader)
    const options = STYLES[name]
    if (!options) return token
    return new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(atSeconds * 1000)
  })
}

function ago(atSeconds: number, { nowSeconds, locale }: Reader): string {
  const units = [
    ['year', 365 * DAY_SECONDS],
    ['month', 30 * DAY_SECONDS],
    ['day', DAY_SECONDS],
    ['hour', 60 * 60],
    ['minute', 60],
  ] as const
  const difference = atSeconds - nowSeconds
  const [unit, size] = units.find(([, seconds]) => Math.abs(difference) >= seconds) ?? ['second', 1]
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(
    unit === 'second' ? 0 : Math.trunc(difference / size),
    unit,
  )
}

const EMOJI: Record<string, string> = {
  '+1': '👍',
  arrow_right: '➡️',
  bell: '🔔',
  chart_with_upwards_trend: '📈',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  key: '🔑',
  link: '🔗',
  new: '🆕',
  no_bell: '🔕',
  no_entry: '⛔',
  no_entry_sign: '🚫',
  octagonal_sign: '🛑',
  pencil2: '✏️',
  raising_hand: '🙋',
  smile: '😄',
  tada: '🎉',
  warning: '⚠️',
  wastebasket: '🗑️',
  wave: '👋',
  white_check_mark: '✅',
  x: '❌',
  zzz: '💤',
}

export function emoji(name: string): string {
  return Object.hasOwn(EMOJI, name) ? (EMOJI[name] ?? '') : `:${name}:`
}

export function withEmoji(text: string): string {
  return text.replaceAll(/:([a-z0-9_+-]+):/g, (_, name: string) => emoji(name))
}
