import type { CreateField } from '../../contract/create-request.ts'

/** Something wrong with what a person typed, in words that say what to do. */
export interface Fault {
  /** The field that it belongs to; none where it is about the whole. */
  field?: CreateField | 'api_key' | 'domains'
  message: string
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
