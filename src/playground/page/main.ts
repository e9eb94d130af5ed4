import { h, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WorkspaceState } from '../../simulator/protocol.ts'
import { html } from './html.ts'
import { follow } from './server.ts'
import { Shell } from './shell.ts'

const VIEWER_KEY = 'playground-viewer'

const root = document.getElementById('app')
if (!root) throw new Error('The page has no root element.')
render(h(App, {}), root)

function App() {
  const [viewer, setViewer] = useState(() => localStorage.getItem(VIEWER_KEY) ?? '')
  const [state, setState] = useState<WorkspaceState>()
  const [lost, setLost] = useState(false)

  useEffect(
    () =>
      follow(viewer, {
        state: (next) => {
          setState(next)
          setLost(false)
        },
        lost: () => setLost(true),
      }),
    [viewer],
  )

  const switchTo = (next: string): void => {
    localStorage.setItem(VIEWER_KEY, next)
    setViewer(next)
  }
  if (state) return h(Shell, { state, lost, switchTo })
  return html`<p class="starting" role="status">
    ${lost ? 'Waiting for the playground to respond…' : 'Opening the playground…'}
  </p>`
}
