import { h, type ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WorkspaceState } from '../../simulator/protocol.ts'
import { AppPage } from './app-page.ts'
import { createHeldValues } from './blocks/held-values.ts'
import { ChannelPage } from './channel-page.ts'
import { html } from './html.ts'
import { ModalStack } from './modal-stack.ts'
import { Notices } from './notices.ts'
import { conversationAt, type Place } from './place.ts'
import { act, upload } from './server.ts'
import { Sidebar } from './sidebar.ts'
import { useUnread } from './unread.ts'
import { WorkflowPage } from './workflow-page.ts'
import { useNotices } from './use-notices.ts'
import { usePlace } from './use-place.ts'
import { WorkspaceContext, type Workspace } from './workspace.ts'

interface ShellProps {
  state: WorkspaceState
  lost: boolean
  switchTo: (viewer: string) => void
}

/** The sidebar, the place that is open, and what lies above both. */
export function Shell({ state, lost, switchTo }: ShellProps): ComponentChildren {
  const place = usePlace()
  const [held] = useState(createHeldValues)
  const { notices, notify, dismiss } = useNotices()
  const [navigating, setNavigating] = useState(false)

  const conversation = conversationAt(state, place)
  const here: Place =
    place && place.kind !== 'channel' ? place : { kind: 'channel', id: conversation.id }
  const atWorkflow = here.kind === 'workflow'
  const atHome = here.kind === 'app' && here.tab === 'home'
  const unread = useUnread(state, atHome || atWorkflow ? undefined : conversation.id)

  useEffect(() => setNavigating(false), [place, state.viewer])
  useEffect(() => {
    const name = atWorkflow ? 'Workflow' : atHome ? state.app.name : conversation.name
    document.title = `${name} · Playground`
  }, [atWorkflow, atHome, state.app.name, conversation.name])

  const workspace: Workspace = {
    state,
    act: (action) => act(state.viewer, action),
    perform: (action, after) => {
      void act(state.viewer, action).then((result) => {
        if (!result.ok) notify(result.message)
        after?.()
      })
    },
    upload: (file, progressed) => upload(state.viewer, file, progressed),
    notices,
    dismissNotice: dismiss,
  }
  const close = (): void => setNavigating(false)
  const page = { conversation, held, openNavigation: () => setNavigating(true) }
  return h(
    WorkspaceContext.Provider,
    { value: workspace },
    html`<div class="shell" data-viewer=${state.viewer} data-navigating=${navigating}>
      ${lost && html`<p class="lost" role="status">The app isn’t answering. Trying again…</p>`}
      ${h(Sidebar, { here, unread, switchTo, over: navigating, close })}
      <div class="scrim" onClick=${close}></div>
      ${
        here.kind === 'workflow'
          ? h(WorkflowPage, page)
          : here.kind === 'app'
            ? h(AppPage, { ...page, tab: here.tab })
            : h(ChannelPage, page)
      }
      ${state.modals.length === 0 && h(Notices, {})} ${h(ModalStack, { held })}
    </div>`,
  )
}
