import type { SlackJson } from '../protocol.ts'
import { isObject } from '../shared/slack-json.ts'
import type { Surface } from './blocks.ts'
import { canFetchImage } from './images.ts'
import { isInteractive, placedElements } from './placed-elements.ts'
import { slackError } from './slack-errors.ts'

/** Returns Slack's error for a `slack_file` that can't be shown, or undefined. */
export type CheckSlackFile = (file: { id?: unknown; url?: unknown }) => string | undefined

/**
 * Checks Slack's rules that span several blocks, or that depend on where an element is used.
 *
 * @param root the path of the blocks in the request, for JSON pointers
 * @param reachesLoopback whether Slack can fetch images from this machine
 */
export function ruleErrors(
  blocks: readonly SlackJson[],
  surface: Surface,
  checkFile: CheckSlackFile,
  root: readonly (string | number)[],
  reachesLoopback: boolean,
): string[] {
  return [
    ...duplicateIdErrors(blocks, root),
    ...placementErrors(blocks, surface, root),
    ...placedElements(blocks).flatMap(({ element, path }) => {
      const { slack_file: file, image_url: url } = element
      const error = isObject(file) ? checkFile(file) : undefined
      const canFetch = typeof url !== 'string' || canFetchImage(url, reachesLoopback)
      return [
        ...(error ? [slackError(error, [...root, ...path, 'slack_file'])] : []),
        ...(canFetch
          ? []
          : [slackError('downloading image failed', [...root, ...path, 'image_url'])]),
      ]
    }),
  ]
}

function duplicateIdErrors(
  blocks: readonly SlackJson[],
  root: readonly (string | number)[],
): string[] {
  const blockIds = new Set<unknown>()
  const errors = blocks.flatMap(({ block_id: id }, at) => {
    if (id === undefined) return []
    if (blockIds.has(id)) {
      return [slackError(`\`block_id\` already exists: ${JSON.stringify(id)}`, [...root, at])]
    }
    blockIds.add(id)
    return []
  })
  const actionIds = new Map<SlackJson, Set<unknown>>()
  for (const { block, element, path } of placedElements(blocks)) {
    const { action_id: id } = element
    const used = actionIds.get(block) ?? new Set()
    actionIds.set(block, used)
    if (id === undefined) continue
    if (used.has(id)) {
      const message = `\`action_id\` already exists in the block: ${JSON.stringify(id)}`
      errors.push(slackError(message, [...root, ...path]))
    }
    used.add(id)
  }
  return errors
}

function placementErrors(
  blocks: readonly SlackJson[],
  surface: Surface,
  root: readonly (string | number)[],
): string[] {
  const errors: string[] = []
  let focused = 0
  for (const { block, element, path } of placedElements(blocks)) {
    if (!isInteractive(element)) continue
    const at = [...root, ...path]
    const isModalInput = surface === 'modal' && block.type === 'input'
    if (element.type === 'file_input' && !isModalInput) {
      errors.push(slackError('unsupported type: file_input', [...at, 'type']))
    }
    if (element.response_url_enabled === true && !isModalInput) {
      errors.push(slackError('response_url_enabled is only allowed in input blocks of modals', at))
    }
    if (element.focus_on_load === true && ++focused > 1) {
      errors.push(slackError('only one element may have focus_on_load', at))
    }
  }
  return errors
}
