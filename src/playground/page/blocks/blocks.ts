import { h, type ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { Container, SlackJson, ViewValues } from '../../../simulator/protocol.ts'
import { string } from '../../../simulator/shared/slack-json.ts'
import { useKeptFocus } from '../focus.ts'
import { html } from '../html.ts'
import { useWorkspace } from '../workspace.ts'
import { Block } from './block.ts'
import { useHeldValues, withState, type HeldValues } from './held-values.ts'
import { SurfaceContext, type Surface } from './field.ts'

interface BlocksProps {
  blocks: readonly SlackJson[]
  container: (values: ViewValues) => Container
  errors?: Record<string, string>
  held?: HeldValues
}

export function Blocks(props: BlocksProps): ComponentChildren {
  const { blocks, container, errors = {} } = props
  const { perform } = useWorkspace()
  const own = useHeldValues(blocks)
  const { values, hold } = props.held ?? own
  const root = useRef<HTMLDivElement>(null)
  useKeptFocus(root)

  const surface: Surface = {
    values: values.current,
    errors,
    hold,
    use(blockId, element, outcome) {
      perform({
        type: 'block_action',
        container: container(withState(values.current, blockId, element, outcome)),
        blockId,
        element: { ...element, ...outcome },
      })
    },
  }
  const keys = blockKeys(blocks)
  return html`<div ref=${root} class="blocks">
    ${h(
      SurfaceContext.Provider,
      { value: surface },
      blocks.map((block, at) => h(Block, { key: keys[at], block })),
    )}
  </div>`
}

/**
 * Returns keys by which Preact recognizes blocks that the app has redrawn, so that their elements keep the focus. An
 * input with another block_id starts over. Other blocks are counted by type.
 */
function blockKeys(blocks: readonly SlackJson[]): string[] {
  const counts = new Map<string, number>()
  return blocks.map((block) => {
    const type = string(block.type)
    if (type === 'input') return string(block.block_id)
    const count = counts.get(type) ?? 0
    counts.set(type, count + 1)
    return `${type} ${count}`
  })
}
