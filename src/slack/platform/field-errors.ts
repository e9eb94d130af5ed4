import type { KnownBlock, ModalView } from '@slack/types'
import { z } from 'zod'
import { UTM_PARAMETERS } from '../../contract/link-fields.ts'
import { hexColor } from '../../contract/link-requests.ts'
import type { Difference } from '../../port/links.ts'
import { isScannable } from '../../qr/qr-code.ts'
import type { DisallowedValue, UtmValues } from '../../workspaces/utm.ts'
import { asWarning, context, isWarning, LIMITS, warnings } from '../block-kit/elements.ts'
import { FIELD_LABELS, isField, parseFieldBlockId, type Field } from '../block-kit/fields.ts'
import { cut, warningText } from '../block-kit/mrkdwn.ts'

export interface FieldError {
  field?: Field
  message: string
}

export function fieldErrorText({ field, message }: FieldError): string {
  return field ? `${FIELD_LABELS[field]}: ${message}` : message // Back-half: Use at most 100 characters.
}

/** Thrown if the app can't do what the user asks for. Each issue is shown at its field or, without a field, as text. */
export class SlackInputError extends Error {
  readonly issues: readonly FieldError[]

  constructor(issues: readonly FieldError[] | string, options?: ErrorOptions) {
    const all = typeof issues === 'string' ? [{ message: issues }] : issues
    super(all.map(({ message }) => message).join(' '), options)
    this.name = 'SlackInputError'
    this.issues = all
  }
}

export function errorAt(field: Field, message: string, options?: ErrorOptions): SlackInputError {
  return new SlackInputError([{ field, message }], options)
}

export function errorsAt(field: Field, message: string | undefined): FieldError[] {
  return message === undefined ? [] : [{ field, message }]
}

/** Thrown if the user is a guest. The error message has no button to change the input, because that wouldn't help. */
export class GuestError extends SlackInputError {}

/** Thrown if Slack doesn't say whether the user is an admin or a guest. The user can try again later. */
export class SlackUnavailableError extends SlackInputError {}

interface FailedCommand {
  text: string
  issues: readonly FieldError[]
}

const encodedIssue = z
  .tuple([z.custom<Field>(isField).nullable(), z.string()])
  .transform(([field, message]) => ({ ...(field && { field }), message }))

const encodedCommand = z
  .tuple([z.string(), z.array(encodedIssue)])
  .transform(([text, issues]) => ({ text, issues }))

/** Encodes a command and its errors as a button's value. If the errors don't fit, the value is only the command. */
export function encodeFailedCommand({ text, issues }: FailedCommand): string {
  const value = JSON.stringify([text, issues.map(({ field = null, message }) => [field, message])])
  return value.length <= LIMITS.buttonValue ? value : text
}

/** Buttons of old messages, and of messages with long errors, contain only the command. */
export function decodeFailedCommand(value: string): FailedCommand {
  try {
    return encodedCommand.parse(JSON.parse(value))
  } catch {
    return { text: value, issues: [] }
  }
}

/** Adds errors to a form that is about to open: below their inputs, or at the top. Slack shows them only after *Submit*. */
export function withFieldErrors(
  blocks: ModalView['blocks'],
  issues: readonly FieldError[],
): ModalView['blocks'] {
  const fieldOf = ({ block_id: id }: ModalView['blocks'][number]): string | undefined =>
    id === undefined ? undefined : parseFieldBlockId(id)
  const errorsBelow = (block: ModalView['blocks'][number]) =>
    issues
      .filter(({ field }) => field && field === fieldOf(block))
      .map(({ message }) => asWarning(context(warningText(message))))
  const formFields = new Set(blocks.map(fieldOf))
  const errorsAtTop = issues.filter(({ field }) => !field || !formFields.has(field))
  return [
    ...warnings(errorsAtTop.map(fieldErrorText)),
    ...blocks.flatMap((block) => [block, ...errorsBelow(block)]),
  ]
}

/** True if a form shows a warning that isn't among its errors, for example about an input that was corrected. */
export function hasOutdatedWarning(blocks: readonly KnownBlock[], issues: readonly FieldError[]) {
  const messages = issues.flatMap((issue) => [issue.message, fieldErrorText(issue)])
  const current = new Set(messages.map(warningText))
  return blocks.some((block) => isWarning(block) && !current.has(firstText(block)))
}

function firstText(block: KnownBlock): string {
  if (block.type === 'section') return block.text?.text ?? ''
  const [element] = block.type === 'context' ? block.elements : []
  return element && 'text' in element ? element.text : ''
}

const MAX_SHOWN_VALUE = 80

export const cutValue = (value: string): string => cut(value, MAX_SHOWN_VALUE)

export function colorError(color: string | undefined): string | undefined {
  if (!color) return undefined
  if (!hexColor.safeParse(color).success) return 'Write the color as #RRGGBB, like #1F4F46.'
  if (isScannable(color)) return undefined
  return `${color} is too pale: phones couldn’t scan it on white. Choose a darker color.`
}

export function namingError({ name, list, value, allowed }: DisallowedValue): FieldError {
  return {
    field: name,
    message: `“${cutValue(value)}” isn’t one of this workspace’s ${list}. Use ${orList(allowed)}.`,
  }
}

export function namingNotice(typed: UtmValues, normalized: UtmValues): string | undefined {
  const changes = UTM_PARAMETERS.flatMap((name) => {
    const before = typed[name] ?? ''
    const after = normalized[name] ?? ''
    return before && after && before !== after ? [changeText(name, before, after)] : []
  })
  if (changes.length === 0) return undefined
  return `This workspace’s naming rules changed what you typed. ${changes.join('; ')}.`
}

export function differenceText({ field, wanted, found = '' }: Difference): string {
  return `The link service changed what you asked for. ${changeText(field, wanted, found)}`
}

function changeText(field: Field, before: string, after: string): string {
  return `${FIELD_LABELS[field]}: ${cutValue(before)} → ${cutValue(after)}` // UTM source: Mail → mail
}

const MAX_NAMED = 10

/** Lists choices as `“a”, “b” or “c”`. If there are many, lists ten and counts the others. */
export function orList(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `“${cutValue(choice)}”`)
  if (quoted.length > MAX_NAMED + 1) {
    return `${quoted.slice(0, MAX_NAMED).join(', ')} or one of ${quoted.length - MAX_NAMED} more`
  }
  const last = quoted.pop() ?? ''
  return quoted.length > 0 ? `${quoted.join(', ')} or ${last}` : last
}
