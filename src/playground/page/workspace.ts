import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Action, ActionResult, Person, WorkspaceState } from '../../simulator/protocol.ts'
import type { Upload } from './server.ts'

/** The workspace as one person has it before them, and what they can do there. */
export interface Workspace {
  state: WorkspaceState
  act: (action: Action) => Promise<ActionResult>
  /** Does something, and shows what went wrong as a notice. `after` is called in any case. */
  perform: (action: Action, after?: () => void) => void
  upload: (file: File, progressed: (part: number) => void) => Upload
  notices: readonly Notice[]
  dismissNotice: (id: number) => void
}

/** Something that went wrong, in words. */
export interface Notice {
  id: number
  message: string
}

export const WorkspaceContext = createContext<Workspace | undefined>(undefined)

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext)
  if (!workspace) throw new Error('There is no workspace around this component.')
  return workspace
}

function personOf({ people }: WorkspaceState, id: string): Person | undefined {
  return people.find((person) => person.id === id)
}

/** What a person or the app is called; the id of somebody unknown. */
export function nameOf(state: WorkspaceState, id: string): string {
  return id === state.app.botUserId ? state.app.name : (personOf(state, id)?.realName ?? id)
}
