import { fieldLabel, type Field } from '../blocks/field-labels.ts'

/** Something wrong with what a person typed, in words that say what to do. */
export interface Fault {
  /** The field that it belongs to; none where it is about the whole. */
  field?: Field
  message: string
}

/** A fault in words for a place away from its field: the field's label comes first. */
export function faultText({ field, message }: Fault): string {
  return field ? `${fieldLabel(field)}: ${message}` : message
}

/** Thrown for input that a person has to mend; carries every fault at once. */
export class SlackInputError extends Error {
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ message }) => message).join(' '))
    this.name = 'SlackInputError'
    this.faults = faults
  }
}
