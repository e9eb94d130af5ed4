import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { SlackJson, ViewValues } from '../../../simulator/protocol.ts'

/** The message, modal or Home tab that shows blocks. */
export interface Surface {
  values: ViewValues
  /** Errors by block_id. */
  errors: Record<string, string>
  /** Keeps an element's new state. */
  hold: (blockId: string, element: SlackJson, state: SlackJson) => void
  /** Notifies the app that an element was used. */
  use: (blockId: string, element: SlackJson, outcome: SlackJson) => void
}

export const SurfaceContext = createContext<Surface | undefined>(undefined)

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext)
  if (!surface) throw new Error('Blocks need a surface.')
  return surface
}

export interface ControlProps {
  element: SlackJson
  state: SlackJson
  field: Field
  change: (state: SlackJson) => void
}

/** How a control is identified and labeled. */
export interface Field {
  id: string
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

export function fieldAttributes(field: Field) {
  const { id, name, describedBy, required, invalid, focusOnLoad } = field
  return {
    id,
    'aria-label': name,
    'aria-describedby': describedBy,
    'aria-required': required,
    'aria-invalid': invalid,
    'data-focus-on-load': focusOnLoad,
  }
}
