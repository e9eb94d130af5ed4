/** The emoji that the app uses, and a few that people type, by Slack's names. */
const EMOJI: Record<string, string> = {
  '+1': '👍',
  alarm_clock: '⏰',
  arrow_right: '➡️',
  bar_chart: '📊',
  bell: '🔔',
  bulb: '💡',
  chart_with_upwards_trend: '📈',
  eyes: '👀',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  information_source: 'ℹ️',
  key: '🔑',
  link: '🔗',
  lock: '🔒',
  mag: '🔍',
  memo: '📝',
  no_entry_sign: '🚫',
  pencil2: '✏️',
  rocket: '🚀',
  smile: '😄',
  sparkles: '✨',
  tada: '🎉',
  thumbsup: '👍',
  warning: '⚠️',
  wastebasket: '🗑️',
  wave: '👋',
  white_check_mark: '✅',
  x: '❌',
}

/** An emoji's character, or else its name between colons. */
export function emoji(name: string): string {
  return Object.hasOwn(EMOJI, name) ? (EMOJI[name] ?? '') : `:${name}:`
}

/** Plain text with the names of emoji replaced. */
export function withEmoji(text: string): string {
  return text.replaceAll(/:([a-z0-9_+-]+):/g, (_, name: string) => emoji(name))
}
