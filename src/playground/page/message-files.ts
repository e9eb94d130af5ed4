import type { ComponentChildren } from 'preact'
import { html } from './html.ts'
import { icon } from './icons.ts'
import { safeLink } from './safe-url.ts'
import { useWorkspace } from './workspace.ts'

/** What hangs on a message: pictures are shown, other files named. */
export function MessageFiles({ ids }: { ids: readonly string[] }): ComponentChildren {
  const { state } = useWorkspace()
  return ids.map((id) => {
    const file = state.files[id]
    const href = file && safeLink(new URL(file.url, document.baseURI).href)
    if (!file || href === undefined) return undefined
    return html`<a
      class="message-file"
      key=${id}
      href=${href}
      target="_blank"
      rel="noopener noreferrer"
    >
      ${
        file.mimetype.startsWith('image/')
          ? html`<img src=${href} alt=${file.name} title=${file.name} />`
          : html`${icon('file')}<span>${file.name}</span>`
      }
    </a>`
  })
}
