import { h, type ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Container, SlackJson, ViewValues } from '../../../simulator/protocol.ts'
import { isObject, string } from '../../shared/json.ts'
import { html } from '../html.ts'
import { useWorkspace } from '../workspace.ts'
import { Block } from './block.ts'
import { ConfirmDialog } from './confirm-dialog.ts'
import type { HeldValues } from './held-values.ts'
import { SurfaceContext, type Surface } from './surface.ts'
import { useHeldValues } from './use-held-values.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { withState } from './values.ts'

interface BlocksProps {
  blocks: readonly SlackJson[]
  held: HeldValues
  /** Under which `held` keeps their values. */
  name: string
  container: (values: ViewValues) => Container
  errors?: Record<string, string>
  settle?: (blockId: string) => void
  uploading?: (change: 1 | -1) => void
}

/** An element that was used and asks whether that was meant. */
interface Question {
  confirm: SlackJson
  yes: () => void
  /** Puts back what was chosen before. */
  no: () => void
}

/** Blocks that can be used: buttons press, menus choose, inputs keep what is put into them. */
export function Blocks({
  blocks,
  held,
  name,
  container,
  errors,
  settle,
  uploading,
}: BlocksProps): ComponentChildren {
  const { perform } = useWorkspace()
  const [question, setQuestion] = useState<Question>()
  const values = useHeldValues(held, name, blocks)
  const root = useRef<HTMLDivElement>(null)
  const keepFocus = useKeptFocus(root, blocks)

  const tell = (blockId: string, element: SlackJson, outcome: SlackJson): void => {
    perform({
      type: 'block_action',
      container: container(withState(values, blockId, element, outcome)),
      blockId,
      element: { ...element, ...outcome },
    })
  }
  const surface: Surface = {
    values,
    errors: errors ?? {},
    hold: (blockId, element, state) => held.hold(name, blockId, element, state),
    use(blockId, element, outcome) {
      const act = (): void => {
        keepFocus()
        tell(blockId, element, outcome)
      }
      const before = values[blockId]?.[string(element.action_id)]
      const no = (): void => {
        if (before) held.hold(name, blockId, element, before)
      }
      if (isObject(element.confirm)) setQuestion({ confirm: element.confirm, yes: act, no })
      else act()
    },
    settle: (blockId) => settle?.(blockId),
    uploading: (change) => uploading?.(change),
  }
  const answer = (yes: boolean): void => {
    setQuestion(undefined)
    if (yes) question?.yes()
    else question?.no()
  }
  return html`<div ref=${root} class="blocks">
    ${h(
      SurfaceContext.Provider,
      { value: surface },
      blocks.map((block) => h(Block, { key: string(block.block_id), block })),
    )}
    ${question && h(ConfirmDialog, { confirm: question.confirm, answer })}
  </div>`
}
