import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WorkspaceState } from '../../simulator/protocol.ts'
import { html } from './html.ts'
import { ModalStack } from './modals.ts'
import { AppPage, ChannelPage } from './pages.ts'
import { channelPlace, conversationAt, usePlace } from './place.ts'
import { act, upload } from './server.ts'
import { Sidebar, useUnread } from './sidebar.ts'
import { WorkflowPage } from './workflow-page.ts'
import { WorkspaceContext, type Workspace } from './workspace.ts'

interface ShellProps {
  state: WorkspaceState
  lost: boolean
  switchTo: (viewer: string) => void
}

const NOTICE_MS = 8_000

export function Shell({ state, lost, switchTo }: ShellProps) {
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
  }
  const close = (): void => setNavigating(false)
  const pageProps = { conversation, openNavigation: () => setNavigating(true) }
  const channelOrApp = inApp ? h(AppPage, { ...pageProps, atHome }) : h(ChannelPage, pageProps)
  return h(
    WorkspaceContext.Provider,
    { value: workspace },
    html`<div class="shell" data-viewer=${state.viewer} data-navigating=${navigating}>
      ${lost && html`<p class="lost" role="status">The playground isn’t responding. Reconnecting…</p>`}
      ${h(Sidebar, { here, unread, switchTo, isOpen: navigating, close })}
      <div class="scrim" onClick=${close}></div>
      ${atWorkflow ? h(WorkflowPage, pageProps) : channelOrApp} ${h(ModalStack, {})}
    </div>`,
  )
}
