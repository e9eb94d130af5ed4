import { h, type ComponentChildren } from 'preact'
import { html } from './html.ts'
import { Shell } from './shell.ts'
import { useConnection } from './use-connection.ts'

/** The whole page, once there is something to show. */
export function App(): ComponentChildren {
  const { state, lost, switchTo } = useConnection()
  if (state) return h(Shell, { state, lost, switchTo })
  return html`<p class="starting" role="status">
    ${lost ? 'Waiting for the playground to answer…' : 'Opening the playground…'}
  </p>`
}
