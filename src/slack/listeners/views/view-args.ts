import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt'
import { fieldOf } from '../../blocks/form-blocks.ts'

export type ViewArgs = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs

/** The fields of a view's inputs, where a fault can be shown, and the block_id of each. */
export function inputBlocks({ view }: ViewArgs): Map<string, string> {
  return new Map(
    view.blocks.flatMap((block) =>
      block.type === 'input' && block.block_id ? [[fieldOf(block.block_id), block.block_id]] : [],
    ),
  )
}
