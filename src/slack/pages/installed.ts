import type { ComponentChildren } from 'preact'
import type { Operator } from '../../config/config.ts'
import { html } from '../../web/layout.ts'

/** What the pages say about this installation of Backhalf. */
export interface Installed {
  operator: Operator
  /** Whether workspaces install the app by OAuth. */
  isInstallable: boolean
  /** Whether the link service that Backhalf comes with makes the links. */
  hasOwnService: boolean
  /** Whether Slackbot can use the app's tools. */
  hasMcp: boolean
}

/** A link to an email address or a URL. */
export function contactLink(contact: string): ComponentChildren {
  const href = /^https?:/i.test(contact) ? contact : `mailto:${contact}`
  return html`<a href=${href}>${contact}</a>`
}
