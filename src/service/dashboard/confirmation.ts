import type { ComponentChildren } from 'preact'
import { html } from '../../web/layout.ts'
import { postButton } from './form.ts'
import type { DashboardPage } from './page.ts'

/** What happens once it is confirmed. */
interface Confirmation extends Pick<DashboardPage, 'section' | 'title'> {
  /** What happens to whom, in sentences. */
  lead: ComponentChildren
  /** What it is about, so that nobody confirms it for the wrong record. */
  details?: ComponentChildren
  /** Where the form is sent, the text of its button, and what else it sends. */
  action: string
  button: string
  fields?: Record<string, string>
  /** Names the record, for screen readers. */
  about: string
  /** Where *Cancel* leads. */
  back: string
}

/** A page that asks before something happens that is hard to undo. */
export function confirmationPage(asked: Confirmation): DashboardPage {
  const { section, title, lead, details, action, button, fields, about, back } = asked
  return {
    ...(section !== undefined && { section }),
    title,
    content: (csrf) => [
      html`<p class="lead">${lead}</p>`,
      details,
      html`<div class="actions">
        ${postButton({ action, csrf, label: button, about, danger: true, fields })}
        <a href=${back}>Cancel</a>
      </div>`,
    ],
  }
}
