import type { SlackJson } from '../../simulator/protocol.ts'
import { isObject } from '../shared/json.ts'
import { isInteractive } from '../../simulator/block-kit/placed-elements.ts'

/** Fills in the ids that an app left out, as Slack does: every block and element has one. */
export function withIds(blocks: readonly SlackJson[], newId: () => string): SlackJson[] {
  const complete = (element: unknown): unknown =>
    isObject(element) && isInteractive(element) ? { action_id: newId(), ...element } : element
  return blocks.map((block) => ({
    block_id: newId(),
    ...block,
    ...('element' in block && { element: complete(block.element) }),
    ...('accessory' in block && { accessory: complete(block.accessory) }),
    ...(block.type === 'actions' &&
      Array.isArray(block.elements) && { elements: block.elements.map(complete) }),
  }))
}
