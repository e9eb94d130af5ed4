import type { SlackJson } from '../../../simulator/protocol.ts'

/** The props of an element that holds a value. */
export interface ControlProps {
  element: SlackJson
  state: SlackJson
  field: Field
  change: (state: SlackJson) => void
  /** Hides the element's error, once the person starts to correct it. */
  clearError?: () => void
  /** Handles Enter in a line of text that does not submit the form. */
  enter?: () => void
}

/** How a control is identified and labeled. */
export interface Field {
  id: string
  /** The element's action_id. */
  action: string
  /** The control's name for assistive technology. */
  name: string
  describedBy?: string | undefined
  required: boolean
  /** Whether a choice can be removed again, as in an optional input. */
  clearable: boolean
  invalid: boolean
  /** Whether the control gets the focus when it appears. */
  focusOnLoad: boolean
}

/** A control's HTML attributes. */
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
