import { filePayload, type Files, type StoredFile } from '../workspace/files.ts'
import type { SlackJson, ViewValues } from '../protocol.ts'
import { objects, string } from '../shared/slack-json.ts'
import {
  initialState,
  isOffered,
  mapStates,
  stateAt,
  stateFields,
  toState,
  valueField,
} from '../shared/element-state.ts'

export interface StateContext {
  viewerId: string
  files: Pick<Files, 'get'>
  baseUrl: () => string
}

/** Builds Slack's `state.values` from what a person has entered, and from the initial state of the other elements. */
export function stateValues(
  blocks: readonly SlackJson[],
  entered: ViewValues,
  context: StateContext,
): ViewValues {
  return mapStates(blocks, entered, (element, state) => elementState(element, state, context))
}

/** Builds the state of one element. Drops choices that the element does not offer. */
export function elementState(
  element: SlackJson,
  entered: SlackJson | undefined,
  context: StateContext,
): SlackJson {
  const value = (entered ?? initialState(element))[valueField(element)]
  if (element.type === 'file_input') return toState(element, ownFiles(value, context))
  if (stateFields(element)?.isList) {
    const choices: unknown[] = Array.isArray(value) ? value : []
    const offered = choices.filter((choice) => isOffered(element, choice))
    return toState(element, offered)
  }
  const isEmpty = value === undefined || value === null || value === ''
  return toState(element, isEmpty || !isOffered(element, value) ? null : value)
}

function ownFiles(value: unknown, { viewerId, files, baseUrl }: StateContext): SlackJson[] {
  return objects(value)
    .map(({ id }) => (typeof id === 'string' ? files.get(id) : undefined))
    .filter((file): file is StoredFile => file?.user === viewerId)
    .map((file) => filePayload(file, baseUrl()))
}

/** Finds the errors, by block_id, that Slack's client shows without sending the form to the app. */
export function inputErrors(blocks: readonly SlackJson[], values: ViewValues) {
  const errors: Record<string, string> = {}
  for (const block of blocks) {
    if (block.type !== 'input') continue
    const element = block.element as SlackJson
    const state = stateAt(values, block.block_id, element) ?? {}
    const error = inputError(element, state, block.optional === true)
    if (error !== undefined) errors[String(block.block_id)] = error
  }
  return errors
}

function inputError(element: SlackJson, state: SlackJson, optional: boolean): string | undefined {
  const value = state[valueField(element)] ?? []
  if (Array.isArray(value) && value.length === 0) {
    return optional ? undefined : 'Please complete this required field.'
  }
  const maxLength = Number(element.max_length ?? 3000)
  if (element.type === 'plain_text_input' && string(value).length > maxLength) {
    return `This field can have at most ${maxLength} characters.`
  }
  if (element.type === 'url_text_input' && !isUrl(string(value))) {
    return 'Enter a valid URL, such as https://example.com.'
  }
  // Checks only how many files are chosen. Slack's file picker offers `filetypes`, but apps must check them.
  const maxFiles = Number(element.max_files ?? 10)
  if (element.type === 'file_input' && objects(value).length > maxFiles) {
    return maxFiles === 1 ? 'Choose only one file.' : `Choose at most ${maxFiles} files.`
  }
  return undefined
}

function isUrl(text: string): boolean {
  return URL.canParse(text) && /^[a-z][a-z0-9+.-]*:/i.test(text)
}
