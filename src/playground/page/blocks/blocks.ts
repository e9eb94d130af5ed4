import { h, type ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { Container, SlackJson, ViewValues } from '../../../simulator/protocol.ts'
import { string } from '../../../simulator/shared/slack-json.ts'
import { useKeptFocus } from '../focus.ts'
import { html } from '../html.ts'
import { useWorkspace } from '../workspace.ts'
import { Block, hasText } from './block.ts'
import { useHeldValues, withState, type HeldValues } from './held-values.ts'
import { SurfaceContext, type Surface } from './field.ts'

interface BlocksProps {
  blocks: readonly SlackJson[]
  container: (values: ViewValues) => Container
  errors?: Record<string, string>
  clearError?: (blockId: string) => void
  /** Shown right after the text of the last block with text. If no block has text, it comes after all blocks. */
  end?: ComponentChildren
}

/** Blocks that people can use. They keep their values as long as they are shown. */
export function Blocks(props: BlocksProps): ComponentChildren {
  return h(HeldBlocks, { ...props, held: useHeldValues(props.blocks) })
}

/** The same for a form, which keeps the values itself. */
export function HeldBlocks({
  blocks,
  held,
  container,
  errors,
  clearError,
  end,
}: BlocksProps & { held: HeldValues }): ComponentChildren {
  const { perform } = useWorkspace()
  const { current: values } = held.values
  const root = useRef<HTMLDivElement>(null)
  useKeptFocus(root)

  const surface: Surface = {
    values,
    errors: errors ?? {},
    clearError: (blockId) => clearError?.(blockId),
    hold: (blockId, element, state) => held.hold(blockId, element, state),
    use(blockId, element, outcome) {
      perform({
        type: 'block_action',
        container: container(withState(values, blockId, element, outcome)),
        blockId,
        element: { ...element, ...outcome },
      })
    },
  }
  const last = blocks.findLastIndex(hasText)
  return html`<div ref=${root} class="blocks">
    ${h(
      SurfaceContext.Provider,
      { value: surface },
      blocks.map((block, at) =>
        h(Block, { key: string(block.block_id), block, end: at === last ? end : undefined }),
      ),
    )}
    ${end && last < 0 && html`<p>${end}</p>`}
  </div>`
}
