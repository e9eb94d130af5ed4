import type { FastifyInstance } from 'fastify'
import { html } from '../../web/layout.ts'
import { formatCount } from '../../web/numbers.ts'
import { countClicks } from '../store/clicks.ts'
import { KEPT_DAYS } from '../store/link-destinations.ts'
import type { LinkRow } from '../store/links.ts'
import { linkOf, needs } from './access.ts'
import { confirmButton } from './form.ts'
import type { LinkContext } from '../store/context.ts'
import { pageOf, withoutScheme } from './link-elements.ts'
import { OUT_OF_REACH } from './link-maker.ts'
import { noticeBox, redirectWithNotice } from './notice.ts'
import {
  factList,
  sendDashboardPage,
  sendNotFound,
  sendRefusal,
  type DashboardPage,
} from './page.ts'
import { targetOf } from './viewer.ts'

/**
 * Turns links off and on, and deletes them, whatever revision they have: a key that keeps changing a link must not stop
 * the administrator.
 */
export function changeRoutes(context: LinkContext) {
  const { db, addresses } = context

  /** Asks before a link is deleted, or says what was deleted, because the page of a deleted link has no title. */
  async function deletionPages(link: LinkRow): Promise<Record<'asked' | 'done', DashboardPage>> {
    const path = `/dashboard/links/${link.id}`
    const shortUrl = withoutScheme(addresses.shortUrl(link))
    const clicks = await countClicks(db, link.id)
    const facts = factList([
      ['Short URL', shortUrl],
      ...(link.title === null ? [] : [['Title', link.title] as const]),
      ['Destination', link.destination_url],
      ['Clicks', `${formatCount(clicks, 'click')} by people`],
    ])
    const asked = [
      html`<p class="lead">
        The short URL will never lead anywhere again. This can’t be undone, and no other link can
        get it. For ${KEPT_DAYS} days, the administrator of this link service can still see where it
        led.${link.enabled === 1 && ' To stop it for a while, turn it off instead.'}
      </p>`,
      facts,
      confirmButton({ action: `${path}/delete`, label: 'Delete link', about: shortUrl }, path),
    ]
    const done = [
      noticeBox(html`<span><bdi>${shortUrl}</bdi> was deleted.</span>`),
      facts,
      html`<div class="actions">
        <a href="/dashboard">Back to the links</a>
        <a href=${path}>Show the deleted link</a>
      </div>`,
    ]
    return {
      asked: { title: `Delete ${shortUrl}?`, content: asked },
      done: { title: 'Deleted', content: done },
    }
  }

  return async (scope: FastifyInstance) => {
    for (const [path, enabled] of [
      ['turn-off', 0],
      ['turn-on', 1],
    ] as const) {
      scope.post(
        `/dashboard/links/:id/${path}`,
        needs('shortlinks:update'),
        async (request, reply) => {
          const link = linkOf(request)
          const target = targetOf(request.viewer, link)
          const { outcome } = await context.links.update(target, { fields: { enabled } })
          if (outcome === 'address_out_of_reach') return sendRefusal(reply, OUT_OF_REACH)
          if (outcome === 'changed') return redirectWithNotice(reply, pageOf(link), path)
          return reply.redirect(pageOf(link), 303)
        },
      )
    }

    scope.get('/dashboard/links/:id/delete', needs('shortlinks:delete'), async (request, reply) => {
      const link = linkOf(request)
      if (link.deleted_at !== null) return sendNotFound(reply)
      return sendDashboardPage(reply, (await deletionPages(link)).asked)
    })

    scope.post(
      '/dashboard/links/:id/delete',
      needs('shortlinks:delete'),
      async (request, reply) => {
        const link = linkOf(request)
        const pages = await deletionPages(link)
        const { outcome } = await context.links.delete(targetOf(request.viewer, link))
        if (outcome === 'deleted') return sendDashboardPage(reply, pages.done)
        if (outcome === 'address_out_of_reach') return sendRefusal(reply, OUT_OF_REACH)
        return reply.redirect(pageOf(link), 303)
      },
    )
  }
}
