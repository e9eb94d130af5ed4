import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Action, ActionResult, WorkspaceState } from '../../simulator/protocol.ts'
import type { Upload } from './server.ts'

/** The workspace as one person sees it, and what they can do in it. */
export interface Workspace {
  state: WorkspaceState
  act: (action: Action) => Promise<ActionResult>
  /** Performs an action, and shows a notice if it fails. `after` is called in either case. */
  perform: (action: Action, after?: (result: ActionResult) => void) => void
  upload: (file: File) => Upload
  notices: readonly Notice[]
  dismissNotice: (id: number) => void
}

/** A message about something that failed. */
export interface Notice {
  id: number
  message: string
}

export const WorkspaceContext = createContext<Workspace | undefined>(undefined)

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext)
  if (!workspace) throw new Error('This component needs a workspace.')
  return workspace
}
