import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { SlackJson, ViewValues } from '../../../simulator/protocol.ts'

/** The message, modal or Home tab that shows blocks. */
export interface Surface {
  values: ViewValues
  /** Errors by block_id. */
  errors: Record<string, string>
  /** Hides an input's error, once the person starts to correct it. */
  clearError: (blockId: string) => void
  /** Keeps an element's new state. */
  hold: (blockId: string, element: SlackJson, state: SlackJson) => void
  /** Notifies the app that an element was used, after asking if it has a confirmation dialog. */
  use: (blockId: string, element: SlackJson, outcome: SlackJson) => void
  /** Reports that an upload has begun (1) or ended (-1). The form waits for it. */
  uploading: (change: 1 | -1) => void
}

export const SurfaceContext = createContext<Surface | undefined>(undefined)

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext)
  if (!surface) throw new Error('Blocks need a surface.')
  return surface
}
