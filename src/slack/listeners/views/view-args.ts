import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt'

export type ViewArgs = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs

/** The block_ids of a view's inputs: the places where a fault can be shown. */
export function inputBlocks({ view }: ViewArgs): Set<string> {
  return new Set(
    view.blocks.flatMap((block) =>
      block.type === 'input' && block.block_id ? [block.block_id] : [],
    ),
  )
}
