import { defineLayout, html, type HtmlPage, LOGO } from '../../web/pages.ts'
import { COMMAND } from '../ids.ts'
import type { Installed } from './support-page.ts'

/** The pictures on the page. Their files are in this folder, and `npm run pictures` creates them. */
export const PICTURES = [
  {
    file: 'short-link.png',
    alt: 'Backhalf’s answer to the command: a short link and its QR code',
    height: 376,
  },
  {
    file: 'report.png',
    alt: 'A report on a campaign, with a chart of its clicks and the links with the most clicks',
    height: 460,
  },
] as const

const LAYOUT = defineLayout({
  width: 'narrow',
  css: `
img { display: block; max-width: 100%; height: auto; margin: 1.5rem 0; border: 1px solid var(--line);
  border-radius: 8px; }
.button, ul { margin-bottom: 1rem; }
`,
  embedIcon: true,
  pictures: true,
})

/** @param base the path to the other pages: `slack/` if this page is at `/`, or '' if it is at `/slack/` */
export function homePage({ isInstallable, operator }: Installed, base: string): HtmlPage {
  return LAYOUT.render({
    title: 'Backhalf: short links in Slack',
    content: [
      LOGO,
      html`<h1>Short links, without leaving Slack.</h1>`,
      html`<p>
        Backhalf is a Slack app that turns long links into short ones.
        ${operator.name !== undefined && ` ${operator.name} runs it here.`}
      </p>`,
      isInstallable && html`<a class="button" href=${`${base}install`}>Add to Slack</a>`,
      isInstallable &&
        html`<p>
          Slack shows you what the app can do before you agree. Your workspace might require an
          admin to approve it. Reading files is optional: the app needs it only for preview images
          and for CSV files.
        </p>`,
      html`<ul>
        <li>
          Type <code>${COMMAND}</code> and a long link in any conversation. You get a short link and
          its QR code.
        </li>
        <li><b>Shorten this link</b> in a message’s menu shortens the links in that message.</li>
        <li>A form adds a title, tags, UTM values, an expiry date and a preview.</li>
        <li>Reports and alerts show how often the links of a campaign are clicked.</li>
        <li>Admins decide who can create links, and where links can lead.</li>
      </ul>`,
      html`<p><code>${COMMAND} help</code> explains the rest in Slack.</p>`,
      PICTURES.map(
        ({ file, alt, height }) =>
          html`<img
            src=${`${base}pictures/${file}`}
            alt=${alt}
            width="512"
            height=${height}
            loading="lazy"
          />`,
      ),
      html`<p>
        <a href=${`${base}privacy`}>Privacy</a> · <a href=${`${base}support`}>Support</a>
      </p>`,
    ],
  })
}
