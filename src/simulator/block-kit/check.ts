import { z } from 'zod'
import type { SlackJson } from '../protocol.ts'
import { blocks as blockSchemas, viewSchema } from './blocks.ts'
import { ruleErrors, type CheckSlackFile } from './rules.ts'
import { slackErrors } from './slack-errors.ts'

/** Slack's answer to an app's blocks or view: accepted, or an error code with the reasons. */
export type CheckResult<T> =
  { ok: true; value: T } | { ok: false; error: string; messages: string[] }

/** The maximum size of a view's JSON, in bytes. */
const MAX_VIEW_BYTES = 250 * 1024

/**
 * The maximum length of all blocks of a message, to which each block adds a fixed amount. Slack
 * documents neither number; other developers have measured them (bolt-js issues 2509 and 2867).
 */
const MAX_MESSAGE_LENGTH = 13_200
const BLOCK_LENGTH = 100

/**
 * Checks the blocks of a message against Slack's rules.
 *
 * @param root the path of the blocks in the request, for JSON pointers
 */
export function checkMessageBlocks(
  given: unknown,
  checkFile: CheckSlackFile,
  root: readonly (string | number)[] = ['blocks'],
  reachesLoopback = false,
): CheckResult<SlackJson[]> {
  if (!Array.isArray(given)) return rejected('invalid_blocks_format', ['must provide an array'])
  const parsed = blockSchemas.message.safeParse(given, { reportInput: true })
  if (!parsed.success) {
    return rejected('invalid_blocks', slackErrors(parsed.error.issues, root))
  }
  const errors = ruleErrors(parsed.data, 'message', checkFile, root, reachesLoopback)
  return errors.length > 0 ? rejected('invalid_blocks', errors) : { ok: true, value: parsed.data }
}

/** Whether Slack rejects a message with these blocks as `msg_blocks_too_long`. */
export function isMessageTooLong(blocks: readonly SlackJson[]): boolean {
  return textLength(blocks) + blocks.length * BLOCK_LENGTH > MAX_MESSAGE_LENGTH
}

/** The length of all texts at any depth, in characters. */
function textLength(json: unknown): number {
  if (typeof json !== 'object' || json === null) return 0
  return Object.entries(json)
    .map(([key, value]: [string, unknown]) =>
      key === 'text' && typeof value === 'string' ? value.length : textLength(value),
    )
    .reduce((sum, length) => sum + length, 0)
}

/** The types of view that an app can send here. */
export type ViewType = 'modal' | 'home'

/**
 * Checks a view against Slack's rules. Every problem is reported as `invalid_arguments`, even an image that
 * can't be shown: Slack documents no other code for views.
 */
export function checkView(
  given: unknown,
  type: ViewType,
  checkFile: CheckSlackFile,
  reachesLoopback = false,
): CheckResult<SlackJson> {
  if (Buffer.byteLength(JSON.stringify(given ?? null)) > MAX_VIEW_BYTES) {
    return rejected('view_too_large', ['must be at most 250 KB [json-pointer:/view]'])
  }
  const typed = z.looseObject({ type: z.literal(type) }).safeParse(given, { reportInput: true })
  if (!typed.success) {
    return rejected('invalid_arguments', slackErrors(typed.error.issues, ['view']))
  }
  const parsed = viewSchema.safeParse(given, { reportInput: true })
  if (!parsed.success) {
    return rejected('invalid_arguments', slackErrors(parsed.error.issues, ['view']))
  }
  const root = ['view', 'blocks']
  const errors = ruleErrors(parsed.data.blocks, type, checkFile, root, reachesLoopback)
  return errors.length > 0
    ? rejected('invalid_arguments', errors)
    : { ok: true, value: parsed.data }
}

function rejected(error: string, messages: string[]): CheckResult<never> {
  return { ok: false, error, messages: messages.map((message) => `[ERROR] ${message}`) }
}
