import type { FastifyPluginAsync } from 'fastify'
import { defineLayout, html, type HtmlPage } from '../web/layout.ts'
import { linkDrawing } from '../web/logo.ts'
import { sendPage } from '../web/send-page.ts'
import { COMMAND } from './ids.ts'

/** The app has no `/favicon.svg`. */
const LAYOUT = defineLayout({ width: 'narrow', embedIcon: true })

/** Says what runs here. The links on it are relative, because the app may be below a path. */
function homePage(isInstallable: boolean): HtmlPage {
  return LAYOUT.render({
    title: 'Backhalf',
    content: [
      linkDrawing('joined'),
      html`<h1>Backhalf runs here.</h1>`,
      html`<p>
        Backhalf is a Slack app that turns long links into short ones. In a workspace that has it,
        type <code>${COMMAND}</code> and a long link in any conversation.
      </p>`,
      isInstallable && html`<p><a class="button" href="slack/install">Add to Slack</a></p>`,
    ],
  })
}

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

/**
 * `GET /` and the response for unknown paths.
 *
 * @param options.playgroundPath where `/` leads; undefined if the app uses Slack itself
 * @param options.isInstallable whether workspaces install the app by OAuth
 */
export function appPageRoutes({
  playgroundPath,
  isInstallable,
}: {
  playgroundPath: string | undefined
  isInstallable: boolean
}): FastifyPluginAsync {
  const home = homePage(isInstallable)
  return async (scope) => {
    scope.get('/', (_request, reply) =>
      playgroundPath === undefined
        ? sendPage(reply, 200, home)
        : reply.redirect(`${playgroundPath}/`),
    )
    scope.setNotFoundHandler(({ method }, reply) =>
      method === 'GET' || method === 'HEAD'
        ? sendPage(reply, 404, notFoundPage)
        : reply.code(404).send({ message: 'There is nothing at this address.' }),
    )
  }
}
