import { html } from './html.ts'
import { page } from './page.ts'

/** Two halves of a link. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f4f46"/><g fill="none" stroke="#fbfaf7" stroke-width="3" stroke-linecap="round"><path d="M14 11h-3a5 5 0 0 0 0 10h3"/><path d="M18 11h3a5 5 0 0 1 0 10h-3"/><path d="M12.5 16h7"/></g></svg>`

/** The pages, whole. Nothing in them comes from a request. */
export const pages = {
  home: page({
    title: 'Backhalf',
    drawing: 'whole',
    content: [
      html`<h1>Short links live here.</h1>`,
      html`<p>
        This is a Backhalf link service. Each short link made here leads to a longer address
        elsewhere.
      </p>`,
      html`<p>
        Were you given a link? Use all of it: what follows the slash decides where it leads.
      </p>`,
    ],
  }),
  notFound: page({
    title: 'No such link · Backhalf',
    drawing: 'broken',
    content: [
      html`<h1>This link leads nowhere.</h1>`,
      html`<p>There is no short link at this address.</p>`,
      html`<ul>
        <li>Was it typed in? Capitals count, and 0 and O look alike.</li>
        <li>Was it copied? Its end may be missing.</li>
        <li>Else ask whoever gave it to you for a new one.</li>
      </ul>`,
    ],
  }),
  blocked: page({
    title: 'Blocked link · Backhalf',
    drawing: 'broken',
    content: [
      html`<h1>This link is blocked.</h1>`,
      html`<p>
        Where it leads is on the list of addresses that this service sends nobody to, for example
        because they were used to deceive people.
      </p>`,
      html`<p>Do you think that this is a mistake? Tell whoever gave you the link.</p>`,
    ],
  }),
  failed: page({
    title: 'Something went wrong · Backhalf',
    drawing: 'broken',
    content: [
      html`<h1>Something went wrong here.</h1>`,
      html`<p>The link service has a fault of its own; nothing that you did. Try again later.</p>`,
    ],
  }),
  refused: page({
    title: 'That didn’t work · Backhalf',
    drawing: 'broken',
    content: [
      html`<h1>That didn’t work.</h1>`,
      html`<p>What your browser sent can’t be read, or is too large. Nothing was changed.</p>`,
      html`<p>Go back, and try again.</p>`,
    ],
  }),
  /** For a form of the dashboard without its cookie, or sent by another page than its own. */
  outdated: page({
    title: 'That page is out of date · Backhalf',
    drawing: 'broken',
    content: [
      html`<h1>That page is out of date.</h1>`,
      html`<p>
        It lay open too long, or your browser doesn’t keep the cookies of this service. Nothing was
        changed.
      </p>`,
      html`<p><a href="/dashboard">Open the dashboard again</a></p>`,
    ],
  }),
}
