import type { InputBlock, PlainTextInput } from '@slack/types'
import { input, plain } from '../block-kit/elements.ts'
import { fieldLabel, type Field, type LinesField } from '../block-kit/fields.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { textOf, type FormValues } from '../platform/form-values.ts'

/**
 * Lists with one item per line. One of Slack's inputs holds 3,000 characters, which a hundred domains may
 * exceed. A long list therefore continues in further inputs.
 */

/** How many characters an input is filled with. The rest of LIMITS.inputText is room to type. */
const FILLED_LENGTH = 2_500

/** If the last input has less room than this, an empty input follows. */
const MIN_ROOM = 1_000

/** Divides lines into texts that fit one input each. Never empty. */
export function inputTexts(lines: readonly string[]): string[] {
  const texts: string[] = []
  for (const line of lines) {
    const last = texts.at(-1)
    if (last !== undefined && last.length + 1 + line.length <= FILLED_LENGTH) {
      texts[texts.length - 1] = `${last}\n${line}`
    } else {
      texts.push(line)
    }
  }
  const last = texts.at(-1)
  return last === undefined || last.length > LIMITS.inputText - MIN_ROOM ? [...texts, ''] : texts
}

/** The block_id of one of a field's inputs. @param index from 0 */
export function linesBlockId(field: LinesField, index: number): Field {
  return index === 0 ? field : `${field}_${index + 1}`
}

/**
 * The inputs of a list.
 *
 * @param texts one for each input
 * @param required whether Slack's client demands a value, which it can only do for a single input
 */
export function linesInputs(
  field: LinesField,
  texts: readonly string[],
  { placeholder, hint, required }: { placeholder: string; hint: string; required: boolean },
): InputBlock[] {
  return texts.map((text, index) => {
    const blockId = linesBlockId(field, index)
    return input<PlainTextInput>(
      blockId,
      fieldLabel(blockId),
      {
        type: 'plain_text_input',
        multiline: true,
        ...(text && { initial_value: text }),
        placeholder: plain(placeholder, LIMITS.placeholder),
      },
      { optional: !required || texts.length > 1, ...(index === 0 && { hint }) },
    )
  })
}

/** The texts of a field's inputs, as the user typed them. */
export function textsOf(values: FormValues, field: LinesField): string[] {
  const texts: string[] = []
  while (values[linesBlockId(field, texts.length)]) {
    texts.push(textOf(values, linesBlockId(field, texts.length)))
  }
  return texts
}

/** A line that the user typed, and where, so that an error can name it. */
export interface Line {
  field: Field
  /** From 1, in its own input. */
  number: number
  text: string
}

/** The lines of a field's inputs that are not blank. */
export function linesOf(field: LinesField, texts: readonly string[]): Line[] {
  return texts.flatMap((typed, index) =>
    typed
      .split('\n')
      .map((line, lineIndex) => ({
        field: linesBlockId(field, index),
        number: lineIndex + 1,
        text: line.trim(),
      }))
      .filter(({ text }) => text !== ''),
  )
}
