import type { SlackJson, ViewValues } from '../../simulator/protocol.ts'

/**
 * What Slack's own client finds wrong with a filled-in form, before the app hears of it:
 * messages by block_id.
 */
export function inputFaults(
  blocks: readonly SlackJson[],
  values: ViewValues,
): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const block of blocks) {
    if (block.type !== 'input') continue
    const element = block.element as SlackJson
    const state = values[String(block.block_id)]?.[String(element.action_id)] ?? {}
    const fault = inputFault(element, state, block.optional === true)
    if (fault !== undefined) faults[String(block.block_id)] = fault
  }
  return faults
}

function inputFault(element: SlackJson, state: SlackJson, optional: boolean): string | undefined {
  const [, value] = Object.entries(state).find(([key]) => key !== 'type') ?? []
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) {
    return optional ? undefined : 'Please complete this required field.'
  }
  return typeof value === 'string' ? textFault(element, value) : listFault(element, value)
}

function textFault(element: SlackJson, value: string): string | undefined {
  const { min_length = 0, max_length = 3000, min_value, max_value } = element
  switch (element.type) {
    case 'plain_text_input':
      if (value.length < Number(min_length)) {
        return `This field needs at least ${Number(min_length)} characters.`
      }
      return value.length > Number(max_length)
        ? `This field takes at most ${Number(max_length)} characters.`
        : undefined
    case 'url_text_input':
      return URL.parse(value) && /^[a-z][a-z0-9+.-]*:/i.test(value)
        ? undefined
        : 'Enter a valid URL, such as https://example.com.'
    case 'email_text_input':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? undefined : 'Enter a valid email address.'
    case 'number_input': {
      const pattern = element.is_decimal_allowed === true ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/
      if (!pattern.test(value)) return 'Enter a valid number.'
      if (min_value !== undefined && Number(value) < Number(min_value)) {
        return `Enter a number of at least ${Number(min_value)}.`
      }
      return max_value !== undefined && Number(value) > Number(max_value)
        ? `Enter a number of at most ${Number(max_value)}.`
        : undefined
    }
    default:
      return undefined
  }
}

/**
 * Too many of something. Not files of another type: `filetypes` only help to choose, and what comes
 * round them is the app's to refuse.
 */
function listFault(element: SlackJson, value: unknown): string | undefined {
  const count = Array.isArray(value) ? value.length : 0
  const { max_files = 10, max_selected_items = Infinity } = element
  if (element.type === 'file_input') {
    return count > Number(max_files) ? `Choose at most ${Number(max_files)} files.` : undefined
  }
  return count > Number(max_selected_items)
    ? `Choose at most ${Number(max_selected_items)}.`
    : undefined
}
