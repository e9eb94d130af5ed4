import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { SlackJson, ViewValues } from '../../../simulator/protocol.ts'

/** What blocks stand on: a message, a modal or the Home tab. */
export interface Surface {
  values: ViewValues
  /** What is wrong with inputs, by block_id. */
  errors: Record<string, string>
  /** Says that something is being done about what is wrong with an input. */
  settle: (blockId: string) => void
  /** Keeps what was put into an element. */
  hold: (blockId: string, element: SlackJson, state: SlackJson) => void
  /** Tells the app that an element was used, with what came of it; asks first where it says so. */
  use: (blockId: string, element: SlackJson, outcome: SlackJson) => void
  /** Says that an upload has begun (1) or ended (-1): a form waits for it. */
  uploading: (change: 1 | -1) => void
}

export const SurfaceContext = createContext<Surface | undefined>(undefined)

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext)
  if (!surface) throw new Error('Blocks need a surface around them.')
  return surface
}
