import type { SlackJson } from '../../simulator/protocol.ts'

/**
 * Characters that all blocks of a message may have together, where a block itself counts as some.
 * Slack documents neither number; others have measured them (bolt-js issues 2509 and 2867).
 */
const MAX_LENGTH = 13_200
const BLOCK_LENGTH = 100

/** Whether Slack refuses a message with these blocks as `msg_blocks_too_long`. */
export function isMessageTooLong(blocks: readonly SlackJson[]): boolean {
  return textLength(blocks) + blocks.length * BLOCK_LENGTH > MAX_LENGTH
}

/** Characters of the texts, however deep they stand. */
function textLength(json: unknown): number {
  if (typeof json !== 'object' || json === null) return 0
  return Object.entries(json)
    .map(([key, value]: [string, unknown]) =>
      key === 'text' && typeof value === 'string' ? value.length : textLength(value),
    )
    .reduce((sum, length) => sum + length, 0)
}
