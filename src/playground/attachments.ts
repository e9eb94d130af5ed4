import { checkMessageBlocks, type Verdict } from './block-kit/check.ts'
import { withIds } from './block-kit/complete.ts'
import type { FileFault } from './block-kit/rules.ts'
import { newId } from '../simulator/workspace/clock.ts'
import type { SlackJson } from '../simulator/protocol.ts'

/**
 * Holds the blocks in attachments against Slack's rules, and fills in the ids that Slack fills in.
 *
 * @param root where the attachments stand in the request, for JSON pointers
 */
export function readAttachments(
  attachments: readonly SlackJson[],
  fileFault: FileFault,
  root: readonly (string | number)[] = ['attachments'],
): Verdict<SlackJson[]> {
  const read: SlackJson[] = []
  const messages: string[] = []
  for (const [at, one] of attachments.entries()) {
    const whole = { ...one, id: at + 1 }
    if (one.blocks === undefined) {
      read.push(whole)
      continue
    }
    const checked = checkMessageBlocks(one.blocks, fileFault, [...root, at, 'blocks'])
    if (checked.ok) {
      read.push({ ...whole, blocks: withIds(checked.value, () => newId('', 5)) })
    } else {
      messages.push(...checked.messages)
    }
  }
  return messages.length > 0
    ? { ok: false, error: 'invalid_attachments', messages }
    : { ok: true, value: read }
}
