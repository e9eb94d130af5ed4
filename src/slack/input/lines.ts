import { linesBlock } from '../blocks/lines-inputs.ts'
import type { Field, LinesField } from '../blocks/field-labels.ts'
import { textOf, type FormValues } from './form-values.ts'

/** A line that somebody typed, and where, so that a fault can name it. */
export interface Line {
  field: Field
  /** Counted from 1, in its own input. */
  number: number
  text: string
}

/** What stands in each input of a field that may have several, as it was typed. */
export function textsOf(values: FormValues, field: LinesField): string[] {
  const texts: string[] = []
  while (values[linesBlock(field, texts.length)]) {
    texts.push(textOf(values, linesBlock(field, texts.length)))
  }
  return texts
}

/** The lines of a field's inputs that are not blank. */
export function linesOf(field: LinesField, texts: readonly string[]): Line[] {
  return texts.flatMap((typed, index) =>
    typed
      .split('\n')
      .map((line, at) => ({
        field: linesBlock(field, index),
        number: at + 1,
        text: line.trim(),
      }))
      .filter(({ text }) => text !== ''),
  )
}
