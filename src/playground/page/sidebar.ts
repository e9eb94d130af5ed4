import { h, type ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { WorkspaceState } from '../../simulator/protocol.ts'
import { avatar, useWorkspace } from './workspace.ts'
import { html, icon } from './html.ts'
import { hashOf, type Place } from './place.ts'

interface SidebarProps {
  here: Place
  unread: Set<string>
  switchTo: (viewer: string) => void
  /** Whether it is open on a narrow screen, where it covers the page. */
  isOpen: boolean
  close: () => void
}

export function Sidebar(props: SidebarProps): ComponentChildren {
  const { here, unread, switchTo, isOpen, close } = props
  const { state } = useWorkspace()
  const { app } = state
  const closeButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isOpen) closeButton.current?.focus()
  }, [isOpen])

  const channels = state.conversations.filter(({ kind }) => kind === 'channel')
  const dm = state.conversations.find(({ kind }) => kind === 'app_dm')

  const entry = (place: Place, content: ComponentChildren, isUnread = false): ComponentChildren => {
    const href = hashOf(place)
    const current = href === hashOf(here) ? 'page' : undefined
    return html`<li>
      <a href=${href} aria-current=${current} data-unread=${isUnread} onClick=${close}>
        ${content} ${isUnread && html`<span class="visually-hidden">(new)</span>`}
      </a>
    </li>`
  }
  return html`<div
    class="sidebar"
    onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && close()}
  >
    <header class="sidebar-head">
      <div>
        <p class="sidebar-title">Playground</p>
        <p>A local stand-in for a Slack workspace</p>
      </div>
      <button
        ref=${closeButton}
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
      ${hasDashboard() && h(LinkServiceLinks, {})}
    </nav>
    <footer>${h(People, { switchTo })}</footer>
  </div>`
}

/** The server marks the page if there is a dashboard. */
function hasDashboard(): boolean {
  return 'dashboard' in document.body.dataset
}

/** The server signs the user in there. */
function LinkServiceLinks(): ComponentChildren {
  return html`<section>
    <h2>Link service</h2>
    <ul>
      <li>
        <a href="./dashboard" target="_blank" rel="noopener">
          ${icon('chart')}<span>Dashboard</span>
          <span class="visually-hidden">(opens in a new tab)</span>
        </a>
      </li>
    </ul>
  </section>`
}

function People({ switchTo }: { switchTo: (viewer: string) => void }): ComponentChildren {
  const { state } = useWorkspace()
  return html`<fieldset class="people">
    <legend>You are</legend>
    ${state.people.map(
      ({ id, realName, admin, guest }) =>
        html`<label class="person">
          <input
            type="radio"
            name="viewer"
            value=${id}
            checked=${id === state.viewer}
            onChange=${() => switchTo(id)}
          />
          ${avatar(state, { kind: 'person', id })}
          <span class="person-name">${realName}</span>
          ${admin && html`<span class="badge">admin</span>`}
          ${guest && html`<span class="badge">guest</span>`}
        </label>`,
    )}
  </fieldset>`
}

/**
 * The ids of the conversations with messages that the viewer has not seen.
 *
 * @param open the conversation on the screen; undefined on another page
 */
export function useUnread(state: WorkspaceState, open: string | undefined): Set<string> {
  const seen = useRef(new Map<string, string>())
  const unread = new Set<string>()
  for (const { id } of state.conversations) {
    const key = `${state.viewer} ${id}`
    const newest = state.messages[id]?.at(-1)?.ts ?? ''
    const last = seen.current.get(key)
    if (last === undefined || id === open) seen.current.set(key, newest)
    else if (newest > last) unread.add(id)
  }
  return unread
}
