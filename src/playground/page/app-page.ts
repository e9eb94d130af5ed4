import { h, type ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { avatar } from './author.ts'
import { Blocks } from './blocks/blocks.ts'
import type { PageProps } from './channel-page.ts'
import { Conversation } from './conversation.ts'
import { html } from './html.ts'
import { objects } from '../shared/json.ts'
import { PageHeader } from './page-header.ts'
import { useWorkspace } from './workspace.ts'

/** The app's own place: its Home tab, and its direct messages with whoever looks. */
export function AppPage({
  conversation,
  held,
  openNavigation,
  tab,
}: PageProps & { tab: 'home' | 'messages' }): ComponentChildren {
  const { state } = useWorkspace()
  const { app, viewer } = state
  const tabs = html`<nav class="tabs" aria-label=${app.name}>
    ${app.home && tabLink('home', 'Home')} ${tabLink('messages', 'Messages')}
  </nav>`
  return html`<main class="page">
    ${h(PageHeader, { title: [avatar(state, { kind: 'app' }), app.name], openNavigation }, tabs)}
    ${
      tab === 'home'
        ? h(Home, { key: viewer, held })
        : h(Conversation, { key: `${viewer} ${conversation.id}`, conversation, held })
    }
  </main>`

  function tabLink(name: 'home' | 'messages', label: string): ComponentChildren {
    return html`<a href=${`#app/${name}`} aria-current=${tab === name ? 'page' : undefined}>
      ${label}
    </a>`
  }
}

/** What the app has published for this person. It hears of every visit, and may publish anew. */
function Home({ held }: Pick<PageProps, 'held'>): ComponentChildren {
  const { state, perform } = useWorkspace()
  useEffect(() => perform({ type: 'open_home' }), [])
  return html`<div class="scroll">
    <div class="home">
      ${
        state.home
          ? h(Blocks, {
              blocks: objects(state.home.blocks),
              held,
              name: `home ${state.viewer}`,
              container: (values) => ({ kind: 'home', values }),
            })
          : html`<p class="muted">${state.app.name} has not shown anything here yet.</p>`
      }
    </div>
  </div>`
}
