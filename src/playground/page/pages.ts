import { h, type ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Conversation as ConversationInfo } from '../../simulator/protocol.ts'
import { objects } from '../../simulator/shared/slack-json.ts'
import { avatar, useWorkspace } from './workspace.ts'
import { Blocks } from './blocks/blocks.ts'
import { Conversation } from './conversation.ts'
import { html, icon, iconButton } from './html.ts'

export function ChannelPage({ conversation }: { conversation: ConversationInfo }) {
  const { state, perform } = useWorkspace()
  const { id, name, appIsMember } = conversation
  const about = `${state.app.name} is ${appIsMember ? '' : 'not '}in this channel`
  const toggle = html`<button
    class="button"
    onClick=${() => perform({ type: 'invite_app', conversation: id, member: !appIsMember })}
  >
    ${appIsMember ? 'Remove' : 'Add'} ${state.app.name}
  </button>`
  return html`<main class="page">
    ${h(PageHeader, { title: [icon('hash'), name], about }, toggle)}
    ${h(Conversation, { key: `${state.viewer} ${id}`, conversation })}
  </main>`
}

interface AppPageProps {
  conversation: ConversationInfo
  atHome: boolean
}

export function AppPage({ conversation, atHome }: AppPageProps) {
  const { state } = useWorkspace()
  const { app, viewer } = state
  const tab = (href: string, label: string, isOpen: boolean) =>
    html`<a href=${href} aria-current=${isOpen ? 'page' : undefined}>${label}</a>`
  const tabs = html`<nav class="tabs" aria-label=${app.name}>
    ${tab('#app/home', 'Home', atHome)} ${tab('#app/messages', 'Messages', !atHome)}
  </nav>`
  return html`<main class="page">
    ${h(PageHeader, { title: [avatar(state, { kind: 'app' }), app.name] }, tabs)}
    ${
      atHome
        ? h(Home, { key: viewer })
        : h(Conversation, { key: `${viewer} ${conversation.id}`, conversation })
    }
  </main>`
}

function Home() {
  const { state, perform } = useWorkspace()
  useEffect(() => perform({ type: 'open_home' }), [])
  return html`<div class="scroll" tabindex="0">
    <div class="column">
      ${
        state.home
          ? h(Blocks, { blocks: objects(state.home.blocks), container: { kind: 'home' } })
          : html`<p class="muted">${state.app.name} hasn’t published its Home tab yet.</p>`
      }
    </div>
  </div>`
}

interface PageHeaderProps {
  title: ComponentChildren
  about?: string
  children?: ComponentChildren
}

export function PageHeader({ title, about, children }: PageHeaderProps) {
  const { openNavigation } = useWorkspace()
  return html`<header class="row page-header">
    ${iconButton('menu', 'Open the menu', openNavigation, { class: 'icon-button only-narrow' })}
    <div class="wide">
      <h1>${title}</h1>
      ${about && html`<p class="muted">${about}</p>`}
    </div>
    ${children}
  </header>`
}
