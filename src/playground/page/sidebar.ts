import { h, type ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { WorkspaceState } from '../../simulator/protocol.ts'
import { avatar, useWorkspace } from './workspace.ts'
import { html, icon, iconButton } from './html.ts'
import { channelPlace } from './place.ts'

interface SidebarProps {
  here: string
  unread: Set<string>
  isOpen: boolean
  close: () => void
}

export function Sidebar({ here, unread, isOpen, close }: SidebarProps) {
  const { state } = useWorkspace()
  const { app } = state
  const closeButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isOpen) closeButton.current?.focus()
  }, [isOpen])

  const channels = state.conversations.filter(({ kind }) => kind === 'channel')
  const dm = state.conversations.find(({ kind }) => kind === 'app_dm')

  const entry = (place: string, content: ComponentChildren, isUnread = false) =>
    html`<li>
      <a
        class="row"
        href=${place}
        aria-current=${place === here ? 'page' : undefined}
        data-unread=${isUnread}
        onClick=${close}
      >
        ${content} ${isUnread && html`<span class="visually-hidden">(new)</span>`}
      </a>
    </li>`
  return html`<div
    class="sidebar"
    onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && close()}
  >
    <header class="row">
      <div class="wide">
        <strong>Playground</strong>
        <p class="muted">A local stand-in for a Slack workspace</p>
      </div>
      ${iconButton('close', 'Close the menu', close, {
        ref: closeButton,
        class: 'icon-button only-narrow',
      })}
    </header>
    <nav aria-label="Workspace">
      <h2>Channels</h2>
      <ul>
        ${channels.map(({ id, name }) =>
          entry(channelPlace(id), [icon('hash'), name], unread.has(id)),
        )}
      </ul>
      <h2>App</h2>
      <p class="row">${avatar(state, { kind: 'app' })} <strong>${app.name}</strong></p>
      <ul>
        ${entry('#app/home', [icon('home'), 'Home'])}
        ${dm && entry('#app/messages', [icon('message'), 'Messages'], unread.has(dm.id))}
        ${entry('#workflow', [icon('bolt'), 'Workflow'])}
      </ul>
      ${
        'dashboard' in document.body.dataset &&
        html`<section>
          <h2>Link service</h2>
          <ul>
            <li>
              <a class="row" href="./dashboard" target="_blank" rel="noopener">
                ${icon('chart')} Dashboard
                <span class="visually-hidden">(opens in a new tab)</span>
              </a>
            </li>
          </ul>
        </section>`
      }
    </nav>
    <footer>${h(People, {})}</footer>
  </div>`
}

function People() {
  const { state, switchTo } = useWorkspace()
  return html`<fieldset class="people">
    <legend>You are</legend>
    ${state.people.map(
      ({ id, real_name: name, is_admin: isAdmin, is_restricted: isGuest }) =>
        html`<label class="row">
          <input
            class="visually-hidden"
            type="radio"
            name="viewer"
            value=${id}
            checked=${id === state.viewer}
            onChange=${() => switchTo(id)}
          />
          ${avatar(state, { kind: 'person', id })} ${name}
          ${isAdmin && html`<span class="badge">admin</span>`}
          ${isGuest && html`<span class="badge">guest</span>`}
        </label>`,
    )}
  </fieldset>`
}

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
