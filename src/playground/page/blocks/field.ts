import type { SlackJson } from '../../../simulator/protocol.ts'

/** An element that holds a value. */
export interface ControlProps {
  element: SlackJson
  state: SlackJson
  field: Field
  change: (state: SlackJson) => void
  /** Says that something is being done about what is wrong with it. */
  settle?: () => void
  /** What Enter does in a line of text, where it does not send the form. */
  enter?: () => void
}

/** What assistive technology is told of a control. */
export interface Field {
  id: string
  /** The element's action_id. */
  action: string
  /** Its name, where no label stands beside it. */
  name: string
  describedBy?: string | undefined
  required: boolean
  /** Whether a choice can be taken back: only in an input that may stay empty. */
  clearable: boolean
  invalid: boolean
  /** Whether it asks for the focus when it appears. */
  focusOnLoad: boolean
}

/** A control's attributes. */
export function fieldAttributes(field: Field) {
  const { id, action, name, describedBy, required, invalid, focusOnLoad } = field
  return {
    id,
    'data-action': action,
    'aria-label': name,
    'aria-describedby': describedBy,
    'aria-required': required,
    'aria-invalid': invalid,
    'data-focus-on-load': focusOnLoad,
  }
}
