const DAY = 24 * 60 * 60

/** The reader's time and locale. `locale` and `zone`, an IANA name, default to the browser's. */
interface Reader {
  /** Seconds since 1970. */
  now: number
  locale?: string | undefined
  zone?: string | undefined
}

/** The tokens that the app uses, besides `{ago}`. */
const STYLES: Record<string, Intl.DateTimeFormatOptions> = {
  date_long: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  date_short: { year: 'numeric', month: 'short', day: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
}

/**
 * Replaces the `{date}` tokens of a `<!date^…>` as Slack does. Unknown tokens remain.
 *
 * @param at seconds since 1970
 */
export function formatDate(at: number, format: string, reader: Reader): string {
  const { locale, zone: timeZone } = reader
  return format.replaceAll(/\{(\w+)\}/g, (token, name: string) => {
    if (name === 'ago') return ago(at, reader)
    const options = STYLES[name]
    if (!options) return token
    return new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(at * 1000)
  })
}

/** “3 minutes ago” in the reader's language. */
function ago(at: number, { now, locale }: Reader): string {
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

/** The emoji that the app uses, and a few that people type, by Slack's names. */
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

/** An emoji's character, or else its name between colons. */
export function emoji(name: string): string {
  return Object.hasOwn(EMOJI, name) ? (EMOJI[name] ?? '') : `:${name}:`
}

export function withEmoji(text: string): string {
  return text.replaceAll(/:([a-z0-9_+-]+):/g, (_, name: string) => emoji(name))
}
