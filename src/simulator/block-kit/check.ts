import { z } from 'zod'
import type { SlackJson } from '../protocol.ts'
import { isObject } from '../../values/unknown-values.ts'
import { messageBlocks, type Surface, viewSchema } from './schemas.ts'
import { SlackRefusal } from '../workspace/refusals.ts'
import { placedElements } from '../shared/slack-json.ts'

/** Checks the pictures in blocks. Each function returns Slack's error if it can't show the picture. */
export interface PictureChecks {
  file?: (file: SlackJson) => string | undefined
  image?: (url: string) => string | undefined
}

export type ViewType = 'modal' | 'home'

type Path = readonly PropertyKey[]

const MAX_VIEW_BYTES = 250 * 1024

/**
 * The maximum total length of the texts in a message's blocks. Each block adds BLOCK_LENGTH characters. Slack
 * documents neither number, but other developers have measured them (bolt-js issues 2509 and 2867).
 */
const MAX_MESSAGE_LENGTH = 13_200
const BLOCK_LENGTH = 100

export function checkMessageBlocks(
  sent: unknown,
  pictures: PictureChecks = {},
  root: Path = ['blocks'],
): SlackJson[] {
  if (!Array.isArray(sent)) {
    throw new SlackRefusal('invalid_blocks_format', ['[ERROR] must provide an array'])
  }
  const { success, data, error } = messageBlocks.safeParse(sent)
  const errors = success
    ? ruleErrors(data, 'message', pictures, root)
    : slackErrors(error.issues, root)
  if (!success || errors.length > 0) throw new SlackRefusal('invalid_blocks', errors)
  return data
}

/** @throws SlackRefusal `invalid_arguments` for most problems, because Slack documents no other code for views */
export function checkView(sent: unknown, type: ViewType, pictures: PictureChecks = {}): SlackJson {
  if (Buffer.byteLength(JSON.stringify(sent ?? null)) > MAX_VIEW_BYTES) {
    throw new SlackRefusal('view_too_large', [slackError('must be at most 250 KB', ['view'])])
  }
  const schema = z.looseObject({ type: z.literal(type) }).pipe(viewSchema)
  const { success, data, error } = schema.safeParse(sent)
  if (!success) throw new SlackRefusal('invalid_arguments', slackErrors(error.issues, ['view']))
  const errors = ruleErrors(data.blocks, type, pictures, ['view', 'blocks'])
  if (errors.length > 0) throw new SlackRefusal('invalid_arguments', errors)
  return data
}

export function isMessageTooLong(blocks: readonly SlackJson[]): boolean {
  return textLength(blocks) + blocks.length * BLOCK_LENGTH > MAX_MESSAGE_LENGTH
}

function textLength(json: unknown): number {
  if (typeof json !== 'object' || json === null) return 0
  return Object.entries(json)
    .map(([key, value]: [string, unknown]) =>
      key === 'text' && typeof value === 'string' ? value.length : textLength(value),
    )
    .reduce((sum, length) => sum + length, 0)
}

function ruleErrors(
  blocks: readonly SlackJson[],
  surface: Surface,
  pictures: PictureChecks,
  root: Path,
): string[] {
  const errors: string[] = []
  const report = (message: string, path: Path): void => {
    errors.push(slackError(message, [...root, ...path]))
  }
  const usedIds = new Set<string>()
  // A block_id must be unique in the message or view, and an action_id in its block.
  const isRepeated = (id: unknown, scope: string): boolean => {
    if (id === undefined) return false
    const key = `${scope} ${JSON.stringify(id)}`
    const wasUsed = usedIds.has(key)
    usedIds.add(key)
    return wasUsed
  }
  for (const [index, { block_id: id }] of blocks.entries()) {
    if (isRepeated(id, '')) report(`\`block_id\` already exists: ${JSON.stringify(id)}`, [index])
  }
  let focusCount = 0
  for (const { block, element, path } of placedElements(blocks)) {
    const { type, action_id: id, slack_file: file, image_url: url } = element
    const isModalInput = surface === 'modal' && block.type === 'input'
    if (isRepeated(id, String(path[0]))) {
      report(`\`action_id\` already exists in the block: ${JSON.stringify(id)}`, path)
    }
    if (type === 'file_input' && !isModalInput) {
      report('unsupported type: file_input', [...path, 'type'])
    }
    if (element.response_url_enabled === true && !isModalInput) {
      report('response_url_enabled is only allowed in input blocks of modals', path)
    }
    if (element.focus_on_load === true && ++focusCount > 1) {
      report('only one element can have focus_on_load', path)
    }
    const fileError = isObject(file) ? pictures.file?.(file) : undefined
    if (fileError) report(fileError, [...path, 'slack_file'])
    const imageError = typeof url === 'string' ? pictures.image?.(url) : undefined
    if (imageError) report(imageError, [...path, 'image_url'])
  }
  return errors
}

/** Formats zod's errors like Slack's, with the place in the JSON: `[ERROR] … [json-pointer:/view/blocks/0]`. */
export function slackErrors(issues: readonly z.core.$ZodIssue[], root: Path): string[] {
  return issues.map(({ message, path }) => slackError(message, [...root, ...path]))
}

function slackError(message: string, path: Path): string {
  return `[ERROR] ${message} [json-pointer:/${path.map(String).join('/')}]`
}
