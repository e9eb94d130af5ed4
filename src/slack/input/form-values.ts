import type { ViewStateValue } from '@slack/bolt'
import { UTM_PARAMETERS } from '../../contract/create-request.ts'
import { fieldOf } from '../blocks/form-blocks.ts'
import { INPUT, SHORTEN_BLOCKS } from '../ids.ts'
import type { Draft, KeptImage } from './draft.ts'
import { unescaped } from './unescaped.ts'

/** A view's `state.values`: block_id → action_id → what the element holds. */
export type FormValues = Record<string, Record<string, ViewStateValue>>

const TEXT_FIELDS = [
  'destination_url',
  'back_half',
  'title',
  'preview_title',
  'preview_description',
  'qr_code_color',
  ...UTM_PARAMETERS,
] as const

/** The values by field, whatever block_ids the fields have at the moment. */
export function byField(values: FormValues): FormValues {
  return Object.fromEntries(
    Object.entries(values).map(([blockId, held]) => [fieldOf(blockId), held]),
  )
}

/**
 * Reads the shorten form as it stands, filled in or not.
 *
 * @param values by field
 * @param keptImage an image that was uploaded before and that no file input shows any more
 */
export function parseShortenForm(values: FormValues, keptImage?: KeptImage): Draft {
  const draft: Draft = {
    qr_code_enabled: isChecked(values, 'qr_code_enabled'),
  }
  for (const field of TEXT_FIELDS) {
    // Nothing says that Slack sends an option's value back as it was given, where it has a `&`.
    const text = textOf(values, field) || unescaped(chosenOption(values, field) ?? '')
    if (text) draft[field] = text
  }
  const domain = chosenOption(values, 'domain')
  if (domain) draft.domain = domain
  const where = valueOf(values, SHORTEN_BLOCKS.conversation)
  if (where) draft.conversation = where.selected_conversation ?? null
  const [file] = valueOf(values, 'preview_image')?.files ?? []
  const image = file ? { id: file.id, name: file.name } : keptImage
  if (image) draft.preview_image = image
  return draft
}

/** What stands in a text input, trimmed; empty where there is nothing. */
export function textOf(values: FormValues, block: string): string {
  return valueOf(values, block)?.value?.trim() ?? ''
}

/** Whether a lone checkbox is ticked. */
export function isChecked(values: FormValues, block: string): boolean {
  return (valueOf(values, block)?.selected_options ?? []).length > 0
}

/** The value of the option that is chosen in a menu or among radio buttons. */
export function chosenOption(values: FormValues, block: string): string | undefined {
  return valueOf(values, block)?.selected_option?.value
}

function valueOf(values: FormValues, block: string): ViewStateValue | undefined {
  return values[block]?.[INPUT]
}
