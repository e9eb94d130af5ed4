import { useEffect, useState } from 'preact/hooks'
import type { WorkspaceState } from '../../simulator/protocol.ts'
import { follow } from './server.ts'

const VIEWER_KEY = 'playground-viewer'

/** The workspace as it was last seen, by whom, and whether that is still up to date. */
export interface Connection {
  state: WorkspaceState | undefined
  lost: boolean
  /** Looks through another person's eyes. What was seen stays until theirs is there. */
  switchTo: (viewer: string) => void
}

export function useConnection(): Connection {
  const [viewer, setViewer] = useState(() => localStorage.getItem(VIEWER_KEY) ?? undefined)
  const [state, setState] = useState<WorkspaceState>()
  const [lost, setLost] = useState(false)

  useEffect(
    () =>
      follow(viewer, {
        state: (seen) => {
          setState(seen)
          setLost(false)
        },
        lost: () => setLost(true),
      }),
    [viewer],
  )

  const switchTo = (next: string): void => {
    localStorage.setItem(VIEWER_KEY, next)
    setViewer(next)
  }
  return { state, lost, switchTo }
}
