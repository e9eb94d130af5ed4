import type { SlackJson } from '../protocol.ts'
import { isObject } from '../../values/unknown-values.ts'

interface PlacedElement {
  block: SlackJson
  element: SlackJson
  path: (string | number)[]
}

/** Finds all elements of blocks, such as buttons and images, with their paths: `[2, 'accessory']`. */
export function placedElements(blocks: readonly SlackJson[]): PlacedElement[] {
  return blocks.flatMap((block, index) => {
    const found: PlacedElement[] = []
    if (block.type === 'image') found.push({ block, element: block, path: [index] })
    for (const key of ['element', 'accessory']) {
      if (isObject(block[key])) found.push({ block, element: block[key], path: [index, key] })
    }
    if (Array.isArray(block.elements) && block.type !== 'rich_text') {
      block.elements.forEach((element: unknown, place) => {
        if (isObject(element)) found.push({ block, element, path: [index, 'elements', place] })
      })
    }
    return found
  })
}

export function withIds(blocks: readonly SlackJson[], newId: () => string): SlackJson[] {
  const complete = (element: unknown): unknown =>
    isObject(element) ? { action_id: newId(), ...element } : element
  return blocks.map((block) => ({
    block_id: newId(),
    ...block,
    ...('element' in block && { element: complete(block.element) }),
    ...('accessory' in block && { accessory: complete(block.accessory) }),
    ...(block.type === 'actions' &&
      Array.isArray(block.elements) && { elements: block.elements.map(complete) }),
  }))
}
