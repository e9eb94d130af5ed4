import type { ComponentChildren } from 'preact'
import { html } from './html.ts'
import { icon } from './icons.ts'

/** What stands above a page: its name, what it is about, and what can be done with it. */
export function PageHeader({
  title,
  about,
  openNavigation,
  children,
}: {
  title: ComponentChildren
  about?: string
  openNavigation: () => void
  children?: ComponentChildren
}): ComponentChildren {
  return html`<header class="page-header">
    <button class="icon-button only-narrow" aria-label="Open the menu" onClick=${openNavigation}>
      ${icon('menu')}
    </button>
    <div class="page-title">
      <h2>${title}</h2>
      ${about && html`<p>${about}</p>`}
    </div>
    ${children}
  </header>`
}
