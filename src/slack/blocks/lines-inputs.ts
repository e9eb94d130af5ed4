import type { InputBlock, PlainTextInput } from '@slack/types'
import { input, plain } from '../block-kit/elements.ts'
import { fieldLabel, type Field, type LinesField } from './field-labels.ts'
import { LIMITS } from './limits.ts'

/** Characters that an input holds when it is drawn; the rest of LIMITS.inputText is room to type. */
const FILLED = 2_500

/** Where less room than this is left in the last input, an empty one follows. */
const ROOM = 1_000

/** A list of lines as texts that fit one input each. Never empty. */
export function inputTexts(lines: readonly string[]): string[] {
  const texts: string[] = []
  for (const line of lines) {
    const last = texts.at(-1)
    if (last !== undefined && last.length + 1 + line.length <= FILLED) {
      texts[texts.length - 1] = `${last}\n${line}`
    } else {
      texts.push(line)
    }
  }
  const last = texts.at(-1)
  return last === undefined || last.length > LIMITS.inputText - ROOM ? [...texts, ''] : texts
}

/** The block_id of an input, counted from 0, of a field that may need several. */
export function linesBlock(field: LinesField, index: number): Field {
  return index === 0 ? field : `${field}_${index + 1}`
}

/**
 * Inputs for one thing a line. Slack's inputs hold 3,000 characters, which a hundred domains may
 * well exceed; then there are several.
 *
 * @param texts one for each input
 * @param required whether Slack's client insists on a line, which it can do for a lone input
 */
export function linesInputs(
  field: LinesField,
  texts: readonly string[],
  { placeholder, hint, required }: { placeholder: string; hint: string; required: boolean },
): InputBlock[] {
  return texts.map((text, index) => {
    const block = linesBlock(field, index)
    return input<PlainTextInput>(
      block,
      fieldLabel(block),
      {
        type: 'plain_text_input',
        multiline: true,
        ...(text && { initial_value: text }),
        placeholder: plain(placeholder, 150),
      },
      { optional: !required || texts.length > 1, ...(index === 0 && { hint }) },
    )
  })
}
