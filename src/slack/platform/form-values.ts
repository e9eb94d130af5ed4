import type { ViewStateValue, ViewSubmitAction } from '@slack/bolt'
import type { InputBlock, KnownBlock, ModalView } from '@slack/types'
import { fieldOf, type Field } from '../block-kit/fields.ts'
import { isWarning, warnings } from '../block-kit/notices.ts'
import { INPUT } from '../ids.ts'

/** A view's `state.values`: block_id → action_id → the element's value. */
export type FormValues = Record<string, Record<string, ViewStateValue>>

/** A view that Slack sends back: the parts that forms are read from. */
export interface SubmittedView {
  private_metadata: string
  state: { values: FormValues }
}

/** The values by field, whatever block_ids the fields have at the moment. */
export function valuesByField(values: FormValues): FormValues {
  return Object.fromEntries(
    Object.entries(values).map(([blockId, block]) => [fieldOf(blockId), block]),
  )
}

/** The trimmed text of a text input; empty if there is none. */
export function textOf(values: FormValues, blockId: string): string {
  return valueOf(values, blockId)?.value?.trim() ?? ''
}

export function isChecked(values: FormValues, blockId: string): boolean {
  return (valueOf(values, blockId)?.selected_options ?? []).length > 0
}

/** The value of the selected option of a menu or a group of radio buttons. */
export function selectedOption(values: FormValues, blockId: string): string | undefined {
  return valueOf(values, blockId)?.selected_option?.value
}

/** The values of the selected options of a menu that allows several. */
export function selectedOptions(values: FormValues, blockId: string): string[] {
  return (valueOf(values, blockId)?.selected_options ?? []).map(({ value }) => value)
}

export function valueOf(values: FormValues, blockId: string): ViewStateValue | undefined {
  return values[blockId]?.[INPUT]
}

/**
 * A submitted form with what the user typed and, at its top, what went wrong. It consists of the blocks that Slack sends
 * back, so a form of texts and menus needs no function to build it again.
 *
 * @param secret a field whose value is not shown again
 */
export function formAgain(
  { callback_id, private_metadata, title, submit, close, blocks, state }: ViewSubmitAction['view'],
  messages: readonly string[],
  secret?: Field,
): ModalView {
  const rest = (blocks as KnownBlock[]).filter((block) => !isWarning(block))
  return {
    type: 'modal',
    callback_id,
    private_metadata,
    title,
    ...(submit && { submit }),
    ...(close && { close }),
    blocks: [
      ...warnings(messages),
      ...rest.map((block) => {
        if (block.type !== 'input') return block
        const { block_id: id = '' } = block
        return filledIn(block, id === secret ? undefined : valueOf(state.values, id))
      }),
    ],
  }
}

/** The input with what the user typed as its initial value: Slack forgets it if another view is shown in between. */
function filledIn(block: InputBlock, typed: ViewStateValue | undefined): InputBlock {
  const { selected_options: options } = typed ?? {}
  const initial = {
    initial_value: typed?.value,
    initial_option: typed?.selected_option,
    initial_options: options?.length ? options : undefined,
    initial_conversation: typed?.selected_conversation,
  }
  const element = Object.entries({ ...block.element, ...initial }).filter(
    ([name, value]) => !name.startsWith('initial_') || value,
  )
  return { ...block, element: Object.fromEntries(element) as InputBlock['element'] }
}
