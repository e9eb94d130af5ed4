import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { SlackJson, ViewValues } from '../../../simulator/protocol.ts'

export interface Surface {
  values: ViewValues
  errors: Record<string, string>
  hold: (blockId: string, element: SlackJson, state: SlackJson) => void
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

export interface Field {
  id: string
  name: string
  describedBy?: string | undefined
  required: boolean
  /** Whether a choice can be removed again, as in an optional input. */
  clearable: boolean
  invalid: boolean
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
