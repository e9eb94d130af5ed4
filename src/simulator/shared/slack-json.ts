import { isObject } from '../../values/unknown-values.ts'

export type SlackJson = Record<string, unknown>

export function objects(value: unknown): SlackJson[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Compares two JSON values. The order of members matters, but all blocks get theirs from the same schemas. */
export function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Resolves Slack's three entities. `&amp;` comes last, because `&amp;lt;` would otherwise become `<`. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

interface PlacedElement {
  block: SlackJson
  element: SlackJson
  path: (string | number)[]
}

/** Finds all elements of blocks, such as buttons and images, with their paths: `[2, 'accessory']`. */
export function placedElements(blocks: readonly SlackJson[]): PlacedElement[] {
  return blocks.flatMap((block, index) => {
    const placed: PlacedElement[] = []
    if (block.type === 'image') placed.push({ block, element: block, path: [index] })
    for (const key of ['element', 'accessory']) {
      if (isObject(block[key])) placed.push({ block, element: block[key], path: [index, key] })
    }
    if (Array.isArray(block.elements) && block.type !== 'rich_text') {
      block.elements.forEach((element: unknown, at) => {
        if (isObject(element)) placed.push({ block, element, path: [index, 'elements', at] })
      })
    }
    return placed
  })
}

/** Copies blocks, and gives those without an ID a `block_id`, and their elements an `action_id`. */
export function withIds(blocks: readonly SlackJson[], newId: () => string): SlackJson[] {
  const copies = blocks.map((block) => structuredClone(block))
  for (const block of copies) block.block_id ??= newId()
  for (const { block, element } of placedElements(copies)) {
    if (block.type !== 'image' && block.type !== 'context') element.action_id ??= newId()
  }
  return copies
}
