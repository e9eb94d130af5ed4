/**
 * Slack's limits, in characters unless said otherwise, and the one place where text is cut to
 * them. Source: Slack's Block Kit reference; where two pages disagree, the stricter figure.
 */
export const LIMITS = {
  sectionText: 3000,
  buttonText: 75,
  buttonValue: 2000,
  /** A view's private_metadata. */
  metadata: 3000,
  optionText: 75,
  optionValue: 75,
  /** Options in one static_select. */
  selectOptions: 100,
  headerText: 150,
  contextText: 2000,
  altText: 2000,
  imageUrl: 3000,
  inputLabel: 2000,
  inputHint: 2000,
  inputText: 3000,
  viewTitle: 24,
} as const

/** Limits of our own, in characters or pieces: what a settings form takes. */
export const SETTINGS_LIMITS = {
  /** Each is an option of the shorten form. */
  templates: 50,
  /** So that it fits an option. */
  templateName: 75,
  /** What our link service takes for a UTM value; the interface leaves it open. */
  utmValue: 255,
  /** Each is an option of the shorten form. */
  allowedValues: 100,
  /** So that it fits an option, and all of them an input. */
  allowedValue: 75,
} as const

/** Cuts text to `max` UTF-16 units, with an ellipsis, and never through a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const kept = text.slice(0, max - 1)
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}
