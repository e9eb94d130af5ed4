import type { FastifyInstance } from 'fastify'
import { formatCount } from '../../web/numbers.ts'
import { html } from '../../web/pages.ts'
import { countClicks } from '../store/clicks.ts'
import { KEPT_DAYS } from '../store/link-history.ts'
import type { LinkRow } from '../store/links.ts'
import { needs, linkTarget } from './access.ts'
import { confirmButton } from './form.ts'
import { notFound } from '../api/errors.ts'
import type { LinkContext } from '../store/context.ts'
import { linkPagePath, withoutScheme } from './link-elements.ts'
import { OUT_OF_REACH } from './link-input.ts'
import { noticeBox, redirectWithNotice } from './notice.ts'
import { factList, sendDashboardPage, sendRefusal } from './page.ts'

const LINK_PATH = '/dashboard/links/:id'

/** No route checks the revision, because a program that keeps changing a link could then prevent its deletion. */
export async function changeRoutes(scope: FastifyInstance, context: LinkContext) {
  const { db, addresses } = context

  // Shown before and after a deletion, because the page of a deleted link no longer shows its title and destination.
  async function describe(link: LinkRow) {
    const shortUrl = withoutScheme(addresses.shortUrl(link))
    const clicks = await countClicks(db, link.id)
    const facts = factList([
      ['Short URL', shortUrl],
      link.title !== null && ['Title', link.title],
      ['Destination', link.destination_url],
      ['Clicks', `${formatCount(clicks, 'click')} by people`],
    ])
    return { shortUrl, facts }
  }

  for (const action of ['turn-off', 'turn-on'] as const) {
    const changes = { fields: { enabled: action === 'turn-on' ? 1 : 0 } }
    scope.post(
      `${LINK_PATH}/${action}`,
      needs('shortlinks:update'),
      async ({ link, viewer }, reply) => {
        const { outcome } = await context.links.update(linkTarget(viewer, link), changes)
        if (outcome === 'address_out_of_reach') return sendRefusal(reply, OUT_OF_REACH)
        if (outcome === 'changed') return redirectWithNotice(reply, linkPagePath(link), action)
        return reply.redirect(linkPagePath(link), 303)
      },
    )
  }

  scope.get(`${LINK_PATH}/delete`, needs('shortlinks:delete'), async ({ link }, reply) => {
    if (link.deleted_at !== null) throw notFound()
    const { shortUrl, facts } = await describe(link)
    const action = `${linkPagePath(link)}/delete`
    const content = [
      html`<p class="lead">
        The short URL will never lead anywhere again. This can’t be undone, and no other link can
        get it. For ${KEPT_DAYS} days, the administrator of this link service can still see where it
        led.${link.enabled === 1 && ' To stop it for a while, turn it off instead.'}
      </p>`,
      facts,
      confirmButton({ action, label: 'Delete link', about: shortUrl }, linkPagePath(link)),
    ]
    return sendDashboardPage(reply, { title: `Delete ${shortUrl}?`, content })
  })

  scope.post(`${LINK_PATH}/delete`, needs('shortlinks:delete'), async ({ link, viewer }, reply) => {
    const { shortUrl, facts } = await describe(link)
    const { outcome } = await context.links.delete(linkTarget(viewer, link))
    if (outcome === 'address_out_of_reach') return sendRefusal(reply, OUT_OF_REACH)
    if (outcome !== 'deleted') return reply.redirect(linkPagePath(link), 303)
    const content = [
      noticeBox(html`<span><bdi>${shortUrl}</bdi> was deleted.</span>`),
      facts,
      html`<div class="actions">
        <a href="/dashboard">Back to the links</a>
        <a href=${linkPagePath(link)}>Show the deleted link</a>
      </div>`,
    ]
    return sendDashboardPage(reply, { title: 'Deleted', content })
  })
}
