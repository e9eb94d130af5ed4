import type { Field } from './field.ts'

export interface Choice {
  value: string
  label: string
  /** What is said of it in a line of its own. */
  hint?: string
}

export interface Group {
  /** What stands above its choices; `''` where nothing does. */
  label: string
  choices: Choice[]
}

export interface SelectProps {
  field: Field
  placeholder: string
  /** Whether a choice can be taken back. */
  clearable: boolean
  groups: Group[]
  /** The chosen value, `''` for none. */
  value: string
  change: (value: string) => void
}
