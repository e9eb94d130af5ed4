import type { SlackJson, ViewValues } from '../protocol.ts'

/** Finds the errors, by block_id, that Slack's client shows without sending the form to the app. */
export function inputErrors(
  blocks: readonly SlackJson[],
  values: ViewValues,
): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const block of blocks) {
    if (block.type !== 'input') continue
    const element = block.element as SlackJson
    const state = values[String(block.block_id)]?.[String(element.action_id)] ?? {}
    const error = inputError(element, state, block.optional === true)
    if (error !== undefined) errors[String(block.block_id)] = error
  }
  return errors
}

function inputError(element: SlackJson, state: SlackJson, optional: boolean): string | undefined {
  const [, value] = Object.entries(state).find(([key]) => key !== 'type') ?? []
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) {
    return optional ? undefined : 'Please complete this required field.'
  }
  return typeof value === 'string' ? textError(element, value) : listError(element, value)
}

function textError(element: SlackJson, value: string): string | undefined {
  if (element.type === 'url_text_input') {
    return URL.parse(value) && /^[a-z][a-z0-9+.-]*:/i.test(value)
      ? undefined
      : 'Enter a valid URL, such as https://example.com.'
  }
  if (element.type !== 'plain_text_input') return undefined
  const max = Number(element.max_length ?? 3000)
  return value.length > max ? `This field can have at most ${max} characters.` : undefined
}

/** Ignores `filetypes`, which only narrows the file picker. The app itself must reject other files. */
function listError(element: SlackJson, value: unknown): string | undefined {
  if (element.type !== 'file_input' || !Array.isArray(value)) return undefined
  const max = Number(element.max_files ?? 10)
  if (value.length <= max) return undefined
  return max === 1 ? 'Choose only one file.' : `Choose at most ${max} files.`
}
