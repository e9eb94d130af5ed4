import type { SlackJson } from '../protocol.ts'

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
      if (isJson(block[key])) found.push({ block, element: block[key], path: [at, key] })
    }
    if (Array.isArray(block.elements) && block.type !== 'rich_text') {
      block.elements.forEach((element: unknown, index) => {
        if (isJson(element)) found.push({ block, element, path: [at, 'elements', index] })
      })
    }
    return found
  })
}

export function isJson(value: unknown): value is SlackJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of a value that should be a list of them. */
export function jsonList(value: unknown): SlackJson[] {
  return Array.isArray(value) ? value.filter(isJson) : []
}

/** Elements that act, or hold a value: those that have an action_id. */
export function isInteractive(element: SlackJson): boolean {
  return !['image', 'mrkdwn', 'plain_text'].includes(String(element.type))
}
