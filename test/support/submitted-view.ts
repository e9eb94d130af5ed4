import type { KnownBlock, ModalView } from '@slack/types'
import type { FormValues } from '../../src/slack/platform/form-values.ts'
import type { FormSubmission } from '../../src/slack/platform/listeners.ts'

/** The state of an input's element: one of Slack's members, such as `value` or `selected_option`. */
type Input = Record<string, unknown>

/**
 * A view as Slack sends it back.
 *
 * @param changes what the user changed, by block_id; every other element keeps its initial value
 */
export function submittedView(
  view: ModalView,
  changes: Record<string, Input> = {},
): FormSubmission['view'] {
  const { blocks, private_metadata = '' } = view
  const values: Record<string, Record<string, Input>> = {}
  for (const block of blocks as KnownBlock[]) {
    const element: unknown =
      block.type === 'input'
        ? block.element
        : block.type === 'section'
          ? block.accessory
          : undefined
    if (!block.block_id || !element) continue
    const { action_id, ...initial } = element as Input & { action_id: string }
    values[block.block_id] = { [action_id]: { ...held(initial), ...changes[block.block_id] } }
  }
  const submitted = { ...view, id: 'V1', hash: 'h1', private_metadata, state: { values } }
  return submitted as unknown as FormSubmission['view'] & { state: { values: FormValues } }
}

function held(element: Input): Input {
  return {
    value: element['initial_value'],
    selected_option: element['initial_option'],
    selected_options: element['initial_options'],
    selected_conversation: element['initial_conversation'],
  }
}
