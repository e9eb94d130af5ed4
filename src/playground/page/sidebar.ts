import { h, type ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { avatar } from './author.ts'
import { html } from './html.ts'
import { icon } from './icons.ts'
import { People } from './people.ts'
import { hashOf, type Place } from './place.ts'
import { ThemeToggle } from './theme.ts'
import { useWorkspace } from './workspace.ts'

interface SidebarProps {
  here: Place
  unread: Set<string>
  switchTo: (viewer: string) => void
  /** Whether it lies over the page, which it does on a narrow screen only. */
  over: boolean
  close: () => void
}

/** Where one can go, and who one is. On a narrow screen it slides over the page. */
export function Sidebar({ here, unread, switchTo, over, close }: SidebarProps): ComponentChildren {
  const { state } = useWorkspace()
  const { app } = state
  const closer = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (over) closer.current?.focus()
  }, [over])

  const channels = state.conversations.filter(({ kind }) => kind === 'channel')
  const dm = state.conversations.find(({ kind }) => kind === 'app_dm')

  const entry = (place: Place, content: ComponentChildren, news = false): ComponentChildren => {
    const href = hashOf(place)
    const current = href === hashOf(here) ? 'page' : undefined
    return html`<li>
      <a href=${href} aria-current=${current} data-news=${news} onClick=${close}>
        ${content} ${news && html`<span class="visually-hidden">(new)</span>`}
      </a>
    </li>`
  }
  return html`<div
    class="sidebar"
    onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && close()}
  >
    <header class="sidebar-head">
      <div>
        <h1>Playground</h1>
        <p>A local stand-in for a Slack workspace</p>
      </div>
      ${h(ThemeToggle, {})}
      <button
        ref=${closer}
        class="icon-button only-narrow"
        aria-label="Close the menu"
        onClick=${close}
      >
        ${icon('close')}
      </button>
    </header>
    <nav aria-label="Workspace">
      <h2>Channels</h2>
      <ul>
        ${channels.map(({ id, name }) =>
          entry(
            { kind: 'channel', id },
            [icon('hash'), html`<span>${name}</span>`],
            unread.has(id),
          ),
        )}
      </ul>
      <h2>App</h2>
      <p class="sidebar-app">${avatar(state, { kind: 'app' })}<span>${app.name}</span></p>
      <ul>
        ${app.home && entry({ kind: 'app', tab: 'home' }, [icon('home'), html`<span>Home</span>`])}
        ${
          dm &&
          entry(
            { kind: 'app', tab: 'messages' },
            [icon('message'), html`<span>Messages</span>`],
            unread.has(dm.id),
          )
        }
        ${
          app.steps.length > 0 &&
          entry({ kind: 'workflow' }, [icon('bolt'), html`<span>Workflow</span>`])
        }
      </ul>
    </nav>
    <footer>${h(People, { switchTo })}</footer>
  </div>`
}
