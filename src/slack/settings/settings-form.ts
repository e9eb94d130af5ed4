import type { InputBlock, ModalView } from '@slack/types'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Field } from '../block-kit/fields.ts'
import { textInput } from '../block-kit/inputs.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { valueOf, type FormValues } from '../platform/form-values.ts'

/** What a form is about: a workspace, and one of several items if there are several. */
export interface FormSubject {
  workspace: Workspace
  /** Identifies the item, for example a template (`templateKey`). It is the view's `private_metadata`. */
  key: string
}

/** One form of the settings. It changes its own part of them and nothing else. */
export interface SettingsForm {
  build(subject: FormSubject): Promise<ModalView>
  /**
   * Saves what the user typed.
   *
   * @returns mrkdwn to show, if closing the form doesn't say enough
   * @throws SlackInputError with each issue at its field
   */
  save(subject: FormSubject, values: FormValues, userId: string): Promise<string | undefined>
}

/** Whether one of Slack's inputs has room for a list with one item per line. */
export function fitsInput(items: readonly string[]): boolean {
  return items.join('\n').length <= LIMITS.inputText
}

/** The input of a list with one item per line. It stays empty if the list doesn't fit. */
export function linesInput(
  field: Field,
  items: readonly string[],
  more: { placeholder: string; hint: string; optional: boolean },
): InputBlock {
  return textInput(field, items.join('\n'), { ...more, multiline: true })
}

/** A line of a list, and its number from 1, so that an error can name it. */
export interface Line {
  number: number
  text: string
}

/** The lines that the user typed, except blank ones. */
export function typedLines(values: FormValues, field: Field): Line[] {
  return (valueOf(values, field)?.value ?? '')
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '')
}
