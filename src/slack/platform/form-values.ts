import type { ViewStateValue } from '@slack/bolt'
import { fieldOf } from '../block-kit/fields.ts'
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

/** Whether a single checkbox is checked. */
export function isChecked(values: FormValues, blockId: string): boolean {
  return (valueOf(values, blockId)?.selected_options ?? []).length > 0
}

/** The value of the selected option of a menu or a group of radio buttons. */
export function selectedOption(values: FormValues, blockId: string): string | undefined {
  return valueOf(values, blockId)?.selected_option?.value
}

/** The selected options of a menu that allows several, by value and text. */
export function selectedOptions(
  values: FormValues,
  blockId: string,
): { value: string; text: string }[] {
  const selected = valueOf(values, blockId)?.selected_options ?? []
  return selected.map(({ value, text }) => ({ value, text: text.text }))
}

export function valueOf(values: FormValues, blockId: string): ViewStateValue | undefined {
  return values[blockId]?.[INPUT]
}
