import type { ComponentChildren } from 'preact'
import type { Operator } from '../../config/config.ts'
import { html } from '../../web/layout.ts'

export interface Installed {
  operator: Operator
  isInstallable: boolean
  hasOwnService: boolean
  hasMcp: boolean
}

export function contactLink(contact: string): ComponentChildren {
  const href = /^https?:/i.test(contact) ? contact : `mailto:${contact}`
  return html`<a href=${href}>${contact}</a>`
}
