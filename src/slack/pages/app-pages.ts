import type { KnownBlock } from '@slack/types'
import type { FastifyPluginAsync } from 'fastify'
import { readFile } from 'node:fs/promises'
import type { Operator } from '../../config/config.ts'
import { withoutSlash } from '../../contract/endpoints.ts'
import { html, linkDrawing, sendPage } from '../../web/pages.ts'
import { context } from '../block-kit/elements.ts'
import { escape, link } from '../block-kit/mrkdwn.ts'
import { homePage, PICTURES } from './home-page.ts'
import { privacyPage } from './privacy-page.ts'
import { LAYOUT, supportPage, type Installed } from './support-page.ts'

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
