import { h, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WorkspaceState } from '../../simulator/protocol.ts'
import { html } from './html.ts'
import { ModalStack } from './modals.ts'
import { AppPage, ChannelPage } from './pages.ts'
import { channelPlace, conversationAt, usePlace } from './place.ts'
import { Sidebar, useUnread } from './sidebar.ts'
import { WorkflowPage } from './workflow-page.ts'
import { act, follow, upload, WorkspaceContext, type Workspace } from './workspace.ts'

const VIEWER_KEY = 'playground-viewer'
const NOTICE_MS = 8_000

const root = document.getElementById('app')
if (!root) throw new Error('The page has no root element.')
render(h(App, {}), root)

function App() {
  const [viewer, setViewer] = useState(() => localStorage.getItem(VIEWER_KEY) ?? '')
  const [state, setState] = useState<WorkspaceState>()
  const [lost, setLost] = useState(false)

  useEffect(() => {
    const receive = (next: WorkspaceState): void => {
      setState(next)
      setLost(false)
    }
    return follow(viewer, receive, () => setLost(true))
  }, [viewer])

  const switchTo = (next: string): void => {
    localStorage.setItem(VIEWER_KEY, next)
    setViewer(next)
  }
  if (state) return h(Shell, { state, lost, switchTo })
  return html`<p class="starting" role="status">
    ${lost ? 'Waiting for the playground to respond…' : 'Opening the playground…'}
  </p>`
}

interface ShellProps extends Pick<Workspace, 'state' | 'switchTo'> {
  lost: boolean
}

function Shell({ state, lost, switchTo }: ShellProps) {
  const place = usePlace()
  const [notice, setNotice] = useState<string>()
  const [navigating, setNavigating] = useState(false)

  const conversation = conversationAt(state, place)
  const atWorkflow = place === '#workflow'
  const atHome = place === '#app/home'
  const inApp = conversation.kind === 'app_dm'
  const here = atWorkflow || inApp ? place : channelPlace(conversation.id)
  const unread = useUnread(state, atHome || atWorkflow ? undefined : conversation.id)

  useEffect(() => setNavigating(false), [place, state.viewer])
  useEffect(() => setNotice(undefined), [state.viewer])
  useEffect(() => {
    if (!notice) return
    const timer = setTimeout(() => setNotice(undefined), NOTICE_MS)
    return () => clearTimeout(timer)
  }, [notice])
  useEffect(() => {
    document.title = `${atWorkflow ? 'Workflow' : conversation.name} · Playground`
  }, [atWorkflow, conversation.name])

  const workspace: Workspace = {
    state,
    act: (action) => act(state.viewer, action),
    perform: (action, after) => {
      void act(state.viewer, action).then((result) => {
        if (!result.ok) setNotice(result.message)
        after?.()
      })
    },
    upload: (file) => upload(state.viewer, file),
    notice,
    dismissNotice: () => setNotice(undefined),
    switchTo,
    openNavigation: () => setNavigating(true),
  }
  const close = (): void => setNavigating(false)
  const channelOrApp = h(inApp ? AppPage : ChannelPage, { conversation, atHome })
  return h(
    WorkspaceContext.Provider,
    { value: workspace },
    html`<div class="shell" data-viewer=${state.viewer} data-navigating=${navigating}>
      ${lost && html`<p class="lost" role="status">The playground isn’t responding. Reconnecting…</p>`}
      ${h(Sidebar, { here, unread, isOpen: navigating, close })}
      <div class="scrim" onClick=${close}></div>
      ${atWorkflow ? h(WorkflowPage, {}) : channelOrApp} ${h(ModalStack, {})}
    </div>`,
  )
}
