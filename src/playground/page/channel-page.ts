import { h, type ComponentChildren } from 'preact'
import type { Conversation as ConversationInfo } from '../../simulator/protocol.ts'
import type { HeldValues } from './blocks/held-values.ts'
import { Conversation } from './conversation.ts'
import { html } from './html.ts'
import { icon } from './icons.ts'
import { PageHeader } from './page-header.ts'
import { useWorkspace } from './workspace.ts'

export interface PageProps {
  conversation: ConversationInfo
  held: HeldValues
  openNavigation: () => void
}

/** A channel. The app can be brought into it, and sent out, from its header. */
export function ChannelPage({ conversation, held, openNavigation }: PageProps): ComponentChildren {
  const { state, perform } = useWorkspace()
  const { id, name, appIsMember } = conversation
  const about = `${state.app.name} is ${appIsMember ? '' : 'not '}in this channel`
  const toggle = html`<button
    class="button small"
    onClick=${() => perform({ type: 'invite_app', conversation: id, member: !appIsMember })}
  >
    ${appIsMember ? 'Remove' : 'Invite'} ${state.app.name}
  </button>`
  return html`<main class="page">
    ${h(PageHeader, { title: [icon('hash'), name], about, openNavigation }, toggle)}
    ${h(Conversation, { key: `${state.viewer} ${id}`, conversation, held })}
  </main>`
}
