import type { SlackJson } from '../protocol.ts'
import { isObject } from '../../playground/shared/json.ts'

/** An element with its place in a list of blocks. */
export interface PlacedElement {
  block: SlackJson
  element: SlackJson
  /** The element's place below the list, for a JSON pointer. */
  path: (string | number)[]
}

/** Every element and image of a list of blocks that has passed the schemas, in order. */
export function placedElements(blocks: readonly SlackJson[]): PlacedElement[] {
  return blocks.flatMap((block, at) => {
    const found: PlacedElement[] = []
    if (block.type === 'image') found.push({ block, element: block, path: [at] })
    for (const key of ['element', 'accessory']) {
      if (isObject(block[key])) found.push({ block, element: block[key], path: [at, key] })
    }
    if (Array.isArray(block.elements) && block.type !== 'rich_text') {
      block.elements.forEach((element: unknown, index) => {
        if (isObject(element)) found.push({ block, element, path: [at, 'elements', index] })
      })
    }
    return found
  })
}

/** Elements that act, or hold a value: those that have an action_id. */
export function isInteractive(element: SlackJson): boolean {
  return !['image', 'mrkdwn', 'plain_text'].includes(String(element.type))
}
