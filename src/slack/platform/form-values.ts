import { isWarning, warnings } from '../block-kit/elements.ts'
import type { ViewStateValue, ViewSubmitAction } from '@slack/bolt'
import type { InputBlock, KnownBlock, ModalView } from '@slack/types'
import { parseFieldBlockId, type Field } from '../block-kit/fields.ts'
import { unescape } from '../block-kit/mrkdwn.ts'
import { INPUT } from '../ids.ts'
import type { UploadedFile } from './slack-files.ts'

export type FormValues = Record<string, Record<string, ViewStateValue>>

export interface SubmittedView {
  private_metadata: string
  state: { values: FormValues }
}

/** The block ID of the field `tags` can be `tags~1` (`fieldBlockId`). */
export function valuesByField(values: FormValues): FormValues {
  return Object.fromEntries(
    Object.entries(values).map(([blockId, block]) => [parseFieldBlockId(blockId), block]),
  )
}

export function typedText(values: FormValues, blockId: string): string {
  return inputValue(values, blockId)?.value?.trim() ?? ''
}

export function isChecked(values: FormValues, blockId: string): boolean {
  return (inputValue(values, blockId)?.selected_options ?? []).length > 0
}

/** Unescapes the value, because Slack might escape a value that it sends back. */
export function selectedOption(values: FormValues, blockId: string): string | undefined {
  const value = inputValue(values, blockId)?.selected_option?.value
  return value === undefined ? undefined : unescape(value)
}

export function chosenFile(values: FormValues, blockId: string): UploadedFile | undefined {
  const [file] = inputValue(values, blockId)?.files ?? []
  return file && { id: file.id, name: file.name }
}

export function selectedOptions(values: FormValues, blockId: string): string[] {
  return (inputValue(values, blockId)?.selected_options ?? []).map(({ value }) => value)
}

export function inputValue(values: FormValues, blockId: string): ViewStateValue | undefined {
  return values[blockId]?.[INPUT]
}

/** Builds a submitted form again, with messages and with what the user typed. A `secret`, such as an API key, is left out. */
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
        return filledIn(block, id === secret ? undefined : inputValue(state.values, id))
      }),
    ],
  }
}

/** Sets an input's initial value to what the user typed. Slack forgets that once the modal has shown another view. */
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
