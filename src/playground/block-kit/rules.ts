import type { SlackJson } from '../../simulator/protocol.ts'
import { isObject } from '../shared/json.ts'
import type { Surface } from '../../simulator/block-kit/blocks.ts'
import { complaint } from '../../simulator/block-kit/slack-errors.ts'
import { isInteractive, placedElements } from '../../simulator/block-kit/placed-elements.ts'

/** Says what keeps a `slack_file` from being shown, or nothing. */
export type FileFault = (file: { id?: unknown; url?: unknown }) => string | undefined

/**
 * Slack's rules that reach across blocks, or depend on where an element stands.
 *
 * @param root where the blocks stand in the request, for JSON pointers
 */
export function ruleBreaks(
  blocks: readonly SlackJson[],
  surface: Surface,
  fileFault: FileFault,
  root: readonly (string | number)[],
): string[] {
  return [
    ...duplicateIds(blocks, root),
    ...misplaced(blocks, surface, root),
    ...placedElements(blocks).flatMap(({ element, path }) => {
      const fault = isObject(element.slack_file) ? fileFault(element.slack_file) : undefined
      return fault ? [complaint(fault, [...root, ...path, 'slack_file'])] : []
    }),
  ]
}

function duplicateIds(blocks: readonly SlackJson[], root: readonly (string | number)[]): string[] {
  const seen = new Set<unknown>()
  const found = blocks.flatMap(({ block_id }, at) => {
    if (block_id === undefined) return []
    if (seen.has(block_id)) {
      return [complaint(`\`block_id\` already exists: ${JSON.stringify(block_id)}`, [...root, at])]
    }
    seen.add(block_id)
    return []
  })
  const actions = new Map<SlackJson, Set<unknown>>()
  for (const { block, element, path } of placedElements(blocks)) {
    const ids = actions.get(block) ?? new Set()
    actions.set(block, ids)
    if (element.action_id === undefined) continue
    if (ids.has(element.action_id)) {
      const message = `\`action_id\` already exists in the block: ${JSON.stringify(element.action_id)}`
      found.push(complaint(message, [...root, ...path]))
    }
    ids.add(element.action_id)
  }
  return found
}

function misplaced(
  blocks: readonly SlackJson[],
  surface: Surface,
  root: readonly (string | number)[],
): string[] {
  const found: string[] = []
  let focused = 0
  for (const { block, element, path } of placedElements(blocks)) {
    if (!isInteractive(element)) continue
    const at = [...root, ...path]
    const modalInput = surface === 'modal' && block.type === 'input'
    if (element.type === 'file_input' && !modalInput) {
      found.push(complaint('unsupported type: file_input', [...at, 'type']))
    }
    if (element.response_url_enabled === true && !modalInput) {
      found.push(complaint('response_url_enabled is only allowed in input blocks of modals', at))
    }
    if (element.focus_on_load === true && ++focused > 1) {
      found.push(complaint('only one element may have focus_on_load', at))
    }
  }
  return found
}
