import { hexColor } from '../../contract/create-request.ts'
import { isScannable } from '../../qr/qr-code.ts'
import type { DisallowedValue } from '../../workspaces/utm.ts'
import { fieldLabel, type Field } from '../block-kit/fields.ts'
import { cut } from '../block-kit/mrkdwn.ts'

/** What is wrong with the user's input, in words that say what to do. */
export interface FieldError {
  /** Absent if the message is about the whole input. */
  field?: Field
  message: string
}

/** The message with the field's label, for places away from the field. */
export function fieldErrorText({ field, message }: FieldError): string {
  return field ? `${fieldLabel(field)}: ${message}` : message
}

/** Thrown for input that the user has to correct. It holds every issue at once. */
export class SlackInputError extends Error {
  readonly issues: readonly FieldError[]

  constructor(issues: readonly FieldError[], options?: ErrorOptions) {
    super(issues.map(({ message }) => message).join(' '), options)
    this.name = 'SlackInputError'
    this.issues = issues
  }
}

/** How many characters of a value an error message shows. */
export const MAX_SHOWN_VALUE = 80

/** What is wrong with a QR code's color; undefined if it can be used. */
export function colorError(color: string): string | undefined {
  if (!hexColor.safeParse(color).success) {
    return 'Write the color as #RRGGBB, like #1F4F46.'
  }
  if (!isScannable(color)) {
    return `${cut(color, MAX_SHOWN_VALUE)} is too pale: phones couldn’t scan it on white. Choose a darker color.`
  }
  return undefined
}

/** Says which UTM value the workspace's naming rules don't allow. */
export function namingError({ name, list, value, allowed }: DisallowedValue): FieldError {
  return {
    field: name,
    message: `“${cut(value, MAX_SHOWN_VALUE)}” isn’t one of this workspace’s ${list}. Use ${oneOf(allowed)}.`,
  }
}

/** How many choices a sentence names. */
const MAX_NAMED = 10

/**
 * The choices in words: `“a”, “b” or “c”`. Names only the first ten if there are many.
 *
 * @param choices at least one
 */
export function oneOf(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `“${cut(choice, MAX_SHOWN_VALUE)}”`)
  if (quoted.length > MAX_NAMED + 1) {
    return `${quoted.slice(0, MAX_NAMED).join(', ')} or one of ${quoted.length - MAX_NAMED} more`
  }
  return [quoted.slice(0, -1).join(', '), quoted.at(-1) ?? ''].filter(Boolean).join(' or ')
}
