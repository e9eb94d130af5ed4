import type { Difference } from '../../port/differences.ts'
import type { ModalView } from '@slack/types'
import { z } from 'zod'
import { UTM_PARAMETERS } from '../../contract/link-fields.ts'
import { hexColor } from '../../contract/link-requests.ts'
import { isScannable } from '../../qr/qr-code.ts'
import type { DisallowedValue, UtmValues } from '../../workspaces/utm.ts'
import { context } from '../block-kit/elements.ts'
import { FIELD_LABELS, parseFieldBlockId, type Field } from '../block-kit/fields.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { cut, escape } from '../block-kit/mrkdwn.ts'
import { warnings } from '../block-kit/notices.ts'

export interface FieldError {
  field?: Field
  message: string
}

export function fieldErrorText({ field, message }: FieldError): string {
  return field ? `${FIELD_LABELS[field]}: ${message}` : message
}

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

/** Neither trying again nor another input helps. */
export class GuestError extends SlackInputError {}

/** Slack doesn't answer a question that has to be answered first. Trying again later helps. */
export class SlackUnavailableError extends SlackInputError {}

interface FailedCommand {
  text: string
  issues: readonly FieldError[]
}

const encodedCommand = z.tuple([
  z.string(),
  z.array(z.tuple([z.custom<Field>(isField).nullable(), z.string()])),
])

/** Leaves out the errors if they don't fit into a button's value. */
export function encodeFailedCommand({ text, issues }: FailedCommand): string {
  const value = JSON.stringify([text, issues.map(({ field = null, message }) => [field, message])])
  return value.length <= LIMITS.buttonValue ? value : text
}

/** Buttons in older messages have only the text. */
export function decodeFailedCommand(value: string): FailedCommand {
  if (!value.startsWith('["')) return { text: value, issues: [] }
  try {
    const [text, issues] = encodedCommand.parse(JSON.parse(value))
    return {
      text,
      issues: issues.map(([field, message]) => ({ ...(field && { field }), message })),
    }
  } catch {
    return { text: value, issues: [] }
  }
}

function isField(name: unknown): boolean {
  return typeof name === 'string' && name in FIELD_LABELS
}

/** Puts errors below their inputs, or else above the form. Slack does this only for a submitted form, not for a new one. */
export function withFieldErrors(
  blocks: ModalView['blocks'],
  issues: readonly FieldError[],
): ModalView['blocks'] {
  const fieldIn = ({ type, block_id: id }: ModalView['blocks'][number]): string | undefined =>
    type === 'input' && id !== undefined ? parseFieldBlockId(id) : undefined
  const fields = new Set(blocks.map(fieldIn))
  const elsewhere = issues.filter(({ field }) => !field || !fields.has(field))
  return [
    ...warnings(elsewhere.map(fieldErrorText)),
    ...blocks.flatMap((block) => [
      block,
      ...issues
        .filter(({ field }) => field && field === fieldIn(block))
        .map(({ message }) => context(`:warning: ${escape(message)}`)),
    ]),
  ]
}

export const MAX_SHOWN_VALUE = 80

export function colorError(color: string | undefined): string | undefined {
  if (!color) return undefined
  if (!hexColor.safeParse(color).success) return 'Write the color as #RRGGBB, like #1F4F46.'
  if (isScannable(color)) return undefined
  return `${cut(color, MAX_SHOWN_VALUE)} is too pale: phones couldn’t scan it on white. Choose a darker color.`
}

export function namingError({ name, list, value, allowed }: DisallowedValue): FieldError {
  return {
    field: name,
    message: `“${cut(value, MAX_SHOWN_VALUE)}” isn’t one of this workspace’s ${list}. Use ${orList(allowed)}.`,
  }
}

export function namingNotice(typed: UtmValues, written: UtmValues): string | undefined {
  const changes = UTM_PARAMETERS.flatMap((name) => {
    const before = typed[name] ?? ''
    const after = written[name] ?? ''
    return before && after && before !== after
      ? [`${FIELD_LABELS[name]}: ${cut(before, MAX_SHOWN_VALUE)} → ${cut(after, MAX_SHOWN_VALUE)}`]
      : []
  })
  if (changes.length === 0) return undefined
  return `This workspace’s naming rules changed what you typed. ${changes.join('; ')}.`
}

export function differenceText({ field, wanted, found = '' }: Difference): string {
  const before = cut(wanted, MAX_SHOWN_VALUE)
  const after = cut(found, MAX_SHOWN_VALUE)
  return `The link service changed what you asked for. ${FIELD_LABELS[field]}: ${before} → ${after}`
}

const MAX_NAMED = 10

/** `“a”, “b” or “c”`. Names only the first ten if there are many. */
export function orList(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `“${cut(choice, MAX_SHOWN_VALUE)}”`)
  if (quoted.length > MAX_NAMED + 1) {
    return `${quoted.slice(0, MAX_NAMED).join(', ')} or one of ${quoted.length - MAX_NAMED} more`
  }
  return [quoted.slice(0, -1).join(', '), quoted.at(-1) ?? ''].filter(Boolean).join(' or ')
}
