import type { BlockElementAction } from '@slack/bolt'

/** The value that a pressed button carries; undefined for any other element. */
export function buttonValue(action: BlockElementAction): string | undefined {
  return action.type === 'button' ? action.value : undefined
}
