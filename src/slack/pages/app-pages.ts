import type { KnownBlock } from '@slack/types'
import type { FastifyPluginAsync } from 'fastify'
import { readFile } from 'node:fs/promises'
import type { Operator } from '../../config/config.ts'
import { withoutSlash } from '../../contract/endpoints.ts'
import { defineLayout, html, type HtmlPage, linkDrawing, LOGO, sendPage } from '../../web/pages.ts'
import { context } from '../block-kit/elements.ts'
import { escape, link } from '../block-kit/mrkdwn.ts'
import { COMMAND } from '../ids.ts'
import { privacyPage } from './privacy-page.ts'
import { LAYOUT, supportPage, type Installed } from './support-page.ts'

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

const HOME_LAYOUT = defineLayout({
  width: 'narrow',
  css: `
img { display: block; max-width: 100%; height: auto; margin: 1.5rem 0; border: 1px solid var(--line);
  border-radius: 8px; }
.button, ul { margin-bottom: 1rem; }
`,
  embedIcon: true,
  pictures: true,
})

const notFoundPage = LAYOUT.render({
  title: 'Page not found · Backhalf',
  content: [
    linkDrawing('broken'),
    html`<h1>There is no page here.</h1>`,
    html`<p>
      A Slack app runs at this address, and it has no such page. If you followed a short link, check
      that you copied all of it.
    </p>`,
  ],
})

/** The pages are below `/slack`, because the app can share its hostname with short links, and their links are relative. */
export function appPageRoutes(
  playgroundPath: string | undefined,
  installed: Installed,
): FastifyPluginAsync {
  const pages = {
    '/slack/': homePage(installed, ''),
    '/slack/privacy': privacyPage(installed),
    '/slack/support': supportPage(installed),
  }
  const root = homePage(installed, 'slack/')
  return async (scope) => {
    scope.get('/', (_request, reply) =>
      playgroundPath === undefined
        ? sendPage(reply, 200, root)
        : reply.redirect(`${playgroundPath}/`),
    )
    for (const [path, page] of Object.entries(pages)) {
      scope.get(path, (_request, reply) => sendPage(reply, 200, page))
    }
    for (const name of ['privacy', 'support']) {
      scope.get(`/${name}`, (_request, reply) => reply.redirect(`slack/${name}`))
    }
    for (const { file } of PICTURES) {
      scope.get(`/slack/pictures/${file}`, async (_request, reply) =>
        reply
          .type('image/png')
          .header('cache-control', 'public, max-age=3600')
          .send(await readFile(new URL(file, import.meta.url))),
      )
    }
    scope.setNotFoundHandler(({ method }, reply) =>
      method === 'GET' || method === 'HEAD'
        ? sendPage(reply, 404, notFoundPage)
        : reply.code(404).send({ message: 'There is nothing at this address.' }),
    )
  }
}

/** @param base the path to the other pages: `slack/` if this page is at `/`, or '' if it is at `/slack/` */
export function homePage({ isInstallable, operator }: Installed, base: string): HtmlPage {
  return HOME_LAYOUT.render({
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

/** Without a public https address, there is only a link to the operator's support. */
export function pageLinkBlocks(
  publicUrl: string | undefined,
  { supportUrl, supportEmail }: Operator,
): KnownBlock[] {
  const base = /^https:/i.test(publicUrl ?? '') && `${withoutSlash(publicUrl ?? '')}/slack`
  const support =
    supportUrl !== undefined
      ? link(supportUrl, 'Support')
      : supportEmail && `<mailto:${escape(supportEmail)}|Support>`
  const links = base
    ? [
        link(`${base}/`, 'Help'),
        link(`${base}/support`, 'Support'),
        link(`${base}/privacy`, 'Privacy'),
      ]
    : [support].filter((item) => item !== undefined)
  return links.length > 0 ? [context(links.join('  ·  '))] : []
}
