import { createRequire } from 'node:module'
import type { ComponentChildren } from 'preact'
import type { Operator } from '../../config/config.ts'
import { defineLayout, html, type HtmlPage, LOGO } from '../../web/pages.ts'
import { COMMAND } from '../ids.ts'

export interface Installed {
  operator: Operator
  isInstallable: boolean
  hasOwnService: boolean
  hasMcp: boolean
}

/** The icon is embedded, because the app has no `/favicon.svg`. */
export const LAYOUT = defineLayout({ width: 'narrow', embedIcon: true })

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }

export function supportPage({ operator }: Installed): HtmlPage {
  const { name = 'the operator of this app', supportUrl, supportEmail } = operator
  return LAYOUT.render({
    title: 'Support · Backhalf',
    content: [
      LOGO,
      html`<h1>Support</h1>`,
      supportUrl !== undefined && html`<p>Ask ${name} for help at ${contactLink(supportUrl)}.</p>`,
      supportEmail !== undefined && html`<p>Write to ${name}: ${contactLink(supportEmail)}</p>`,
      supportUrl === undefined &&
        supportEmail === undefined &&
        html`<p>
          The operator of this app has not said how to reach a person. Ask the admin who installed
          it in your workspace.
        </p>`,
      html`<p>These details help to find the cause:</p>`,
      html`<ul>
        <li>what you typed or pressed, and what happened</li>
        <li>when that was, with your time zone</li>
        <li>the name of your workspace, and the short link, if it is about one</li>
        <li>the version, which is Backhalf ${version}</li>
      </ul>`,
      html`<p>
        Never send a token or an API key. In Slack, <code>${COMMAND} help</code> explains what you
        can type.
      </p>`,
      html`<p><a href="./">About Backhalf</a> · <a href="privacy">Privacy</a></p>`,
    ],
  })
}

export function contactLink(contact: string): ComponentChildren {
  const href = /^https?:/i.test(contact) ? contact : `mailto:${contact}`
  return html`<a href=${href}>${contact}</a>`
}
