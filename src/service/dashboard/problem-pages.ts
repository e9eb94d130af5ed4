import type { ComponentChildren } from 'preact'
import { COMMAND } from '../../config/command.ts'
import { defineLayout, html, type HtmlPage, linkDrawing } from '../../web/pages.ts'

const LAYOUT = defineLayout({ width: 'narrow' })

function problemPage(title: string, ...content: ComponentChildren[]): HtmlPage {
  return LAYOUT.render({
    title: `${title} · Backhalf`,
    content: [linkDrawing('broken'), html`<h1>${title}.</h1>`, ...content],
  })
}

/** Shown if a form is submitted without its CSRF cookie, or from another site. */
export const outdatedPage = problemPage(
  'This page is out of date',
  html`<p>
    It was open for too long, or your browser doesn’t accept the cookies of this service. Nothing
    was changed.
  </p>`,
  html`<p><a href="/dashboard">Open the dashboard again</a></p>`,
)

export const invalidPage = problemPage(
  'That didn’t work',
  html`<p>What your browser sent can’t be read, or is too large. Nothing was changed.</p>`,
  html`<p>Go back and try again.</p>`,
)

export const busyPage = problemPage(
  'Too many requests',
  html`<p>Your organization sends too many requests at once. Reload this page in a minute.</p>`,
)

export const expiredAddressPage = (): HtmlPage =>
  problemPage(
    'This link no longer works',
    html`<p class="lead">A sign-in link works once, and only for a few minutes. Get a new one:</p>`,
    html`<ul>
      <li>In Slack, type <code>${COMMAND} dashboard</code>.</li>
      <li>
        If you run the service, type <code>npm run admin -- sign-in link</code> there, or${' '}
        <a href="/dashboard/sign-in">use the password</a>.
      </li>
    </ul>`,
  )

/** The browser keeps a submitted form, and sends it again if the user signs in and reloads this page. */
export function sessionEndedPage({ isForm }: { isForm: boolean }): HtmlPage {
  return problemPage(
    'Your session has ended',
    isForm &&
      html`<p class="lead">
        <b>Nothing was saved yet.</b> Keep this tab open, so that what you entered isn’t lost.
      </p>`,
    html`<ol>
      <li>
        Open the dashboard again${isForm && ' in another tab'}: in Slack, type${' '}
        <code>${COMMAND} dashboard</code>. If you run the service,${' '}
        <a href="/dashboard/sign-in" target=${isForm ? '_blank' : undefined}>use the password</a>.
      </li>
      <li>
        Come back and reload this
        page.${isForm && ' Your browser asks whether to send the form again. Confirm it.'}
      </li>
    </ol>`,
  )
}
