import type { InputBlock, ModalView } from '@slack/types'
import { formatCount } from '../../web/numbers.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Field } from '../block-kit/fields.ts'
import { textInput } from '../block-kit/inputs.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { textOf, type FormValues } from '../platform/form-values.ts'

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

/** A list with one item per line, in one of Slack's inputs. */
export interface Lines {
  text: string
  /** The items for which the input has no room. Saving the form keeps them, after those of the input. */
  kept: readonly string[]
}

/** How many characters of a list that is too long are shown. The rest of LIMITS.inputText is room to type. */
const SHOWN_LENGTH = 2_500

/** The items of a list that one input shows, and those that it has no room for. */
export function linesFrom(items: readonly string[]): Lines {
  const text = items.join('\n')
  if (text.length <= LIMITS.inputText) return { text, kept: [] }
  const shown = items.filter(
    (_, index) => items.slice(0, index + 1).join('\n').length <= SHOWN_LENGTH,
  )
  return { text: shown.join('\n'), kept: items.slice(shown.length) }
}

/** What the user typed into a list. @param stored its items, of which the input may not have shown all */
export function typedLines(values: FormValues, field: Field, stored: readonly string[]): Lines {
  return { text: textOf(values, field), kept: linesFrom(stored).kept }
}

/** The input of a list. @param required whether it must not be empty */
export function linesInput(
  field: Field,
  { text, kept }: Lines,
  { placeholder, hint, required }: { placeholder: string; hint: string; required: boolean },
): InputBlock {
  const more = `${formatCount(kept.length, 'more line')} don’t fit here and stay as they are.`
  return textInput(field, text, {
    multiline: true,
    placeholder,
    hint: kept.length > 0 ? `${hint} ${more}` : hint,
    optional: !required || kept.length > 0,
  })
}

/** A line of a list, and its number from 1, so that an error can name it. */
export interface Line {
  number: number
  text: string
}

/** The lines that are not blank. */
export function linesOf({ text, kept }: Lines): Line[] {
  return [...text.split('\n'), ...kept]
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '')
}
