import { z } from 'zod'
import type { SlackJson } from '../../simulator/protocol.ts'
import { blocks as blockSchemas } from '../../simulator/block-kit/blocks.ts'
import { complaints } from '../../simulator/block-kit/slack-errors.ts'
import { ruleBreaks, type FileFault } from './rules.ts'
import { viewSchema } from './views.ts'

/** What Slack says to an app's blocks or view: taken, or an error code and the reasons. */
export type Verdict<T> = { ok: true; value: T } | { ok: false; error: string; messages: string[] }

/** A view's JSON may take up so many bytes. */
const MAX_VIEW_BYTES = 250 * 1024

/**
 * Holds the blocks of a message against Slack's rules.
 *
 * @param root where the blocks stand in the request, for JSON pointers
 */
export function checkMessageBlocks(
  given: unknown,
  fileFault: FileFault,
  root: readonly (string | number)[] = ['blocks'],
): Verdict<SlackJson[]> {
  if (!Array.isArray(given)) return refused('invalid_blocks_format', ['must provide an array'])
  const parsed = blockSchemas.message.safeParse(given, { reportInput: true })
  if (!parsed.success) {
    return refused('invalid_blocks', complaints(parsed.error.issues, root))
  }
  const broken = ruleBreaks(parsed.data, 'message', fileFault, root)
  return broken.length > 0 ? refused('invalid_blocks', broken) : { ok: true, value: parsed.data }
}

/** A view that an app sends may be of this type here. */
export type ViewType = 'modal' | 'home'

/**
 * Holds a view against Slack's rules. As in Slack, a view that breaks a schema is
 * `invalid_arguments`, and a picture that can't be shown is `invalid_blocks`.
 */
export function checkView(
  given: unknown,
  type: ViewType,
  fileFault: FileFault,
): Verdict<SlackJson> {
  if (Buffer.byteLength(JSON.stringify(given ?? null)) > MAX_VIEW_BYTES) {
    return refused('view_too_large', ['must be at most 250 KB [json-pointer:/view]'])
  }
  const typed = z.looseObject({ type: z.literal(type) }).safeParse(given, { reportInput: true })
  if (!typed.success) {
    return refused('invalid_arguments', complaints(typed.error.issues, ['view']))
  }
  const parsed = viewSchema.safeParse(given, { reportInput: true })
  if (!parsed.success) {
    return refused('invalid_arguments', complaints(parsed.error.issues, ['view']))
  }
  const place = ['view', 'blocks']
  const broken = ruleBreaks(parsed.data.blocks, type, () => undefined, place)
  if (broken.length > 0) return refused('invalid_arguments', broken)
  const pictures = ruleBreaks(parsed.data.blocks, type, fileFault, place)
  return pictures.length > 0
    ? refused('invalid_blocks', pictures)
    : { ok: true, value: parsed.data }
}

function refused(error: string, messages: string[]): Verdict<never> {
  return { ok: false, error, messages: messages.map((message) => `[ERROR] ${message}`) }
}
