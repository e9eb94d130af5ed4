import type { FastifyPluginAsync } from 'fastify'
import { html } from '../../web/layout.ts'
import { formatCount } from '../../web/numbers.ts'
import { countClicks } from '../store/clicks.ts'
import { KEPT_DAYS } from '../store/link-destinations.ts'
import type { LinkRow } from '../store/links.ts'
import { DASHBOARD } from '../store/makers.ts'
import { postButton } from './form.ts'
import type { LinkContext } from '../store/context.ts'
import { withoutScheme } from './links-page.ts'
import { noticeBox, redirectWithNotice } from './notice.ts'
import { sendDashboardPage, sendNotFound, type DashboardPage } from './page.ts'
import { findLiveLink, pageOf } from './link-routes.ts'

type ById = { Params: { id: string } }

/**
 * Turns links off and on, and deletes them, whatever revision they have: a key that keeps changing a link must not stop
 * the administrator.
 */
export function changeRoutes(context: LinkContext): FastifyPluginAsync {
  const { db, addresses } = context

  const targetOf = (link: LinkRow) => ({
    linkId: link.id,
    ownerId: link.owner_id,
    maker: DASHBOARD,
  })

  /** Asks before a link is deleted, or says what was deleted, because the page of a deleted link has no title. */
  async function deletionPages(link: LinkRow): Promise<Record<'asked' | 'done', DashboardPage>> {
    const path = `/dashboard/links/${link.id}`
    const shortUrl = withoutScheme(addresses.shortUrl(link))
    const clicks = (await countClicks(db, [link.id])).get(link.id) ?? 0
    const facts = html`<dl>
      <dt>Short URL</dt>
      <dd>${shortUrl}</dd>
      ${link.title !== null && [html`<dt>Title</dt>`, html`<dd>${link.title}</dd>`]}
      <dt>Destination</dt>
      <dd>${link.destination_url}</dd>
      <dt>Clicks</dt>
      <dd>${formatCount(clicks, 'click')} by people</dd>
    </dl>`
    const asked = (csrf: string) => [
      html`<p class="lead">
        The short URL will never lead anywhere again. This can’t be undone, and no other link can
        get it. For ${KEPT_DAYS} days, this dashboard still shows where it led.
      </p>`,
      facts,
      html`<div class="actions">
        ${postButton({ action: `${path}/delete`, csrf, label: 'Delete link', about: shortUrl, danger: true })}
        <a href=${path}>Cancel</a>
      </div>`,
      link.enabled === 1 &&
        html`<p><small>To stop it for a while, turn it off instead.</small></p>`,
    ]
    const done = () => [
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

  return async (scope) => {
    for (const [path, enabled] of [
      ['turn-off', 0],
      ['turn-on', 1],
    ] as const) {
      scope.post<ById>(`/dashboard/links/:id/${path}`, async ({ params }, reply) => {
        const link = await findLiveLink(context, params.id)
        const page = pageOf(params)
        if (link) {
          const { outcome } = await context.links.update(targetOf(link), { fields: { enabled } })
          if (outcome === 'changed') return redirectWithNotice(reply, page, path)
        }
        return reply.redirect(page, 303)
      })
    }

    scope.get<ById>('/dashboard/links/:id/delete', async ({ params }, reply) => {
      const link = await findLiveLink(context, params.id)
      if (!link) return sendNotFound(reply, '/dashboard')
      return sendDashboardPage(reply, (await deletionPages(link)).asked)
    })

    scope.post<ById>('/dashboard/links/:id/delete', async ({ params }, reply) => {
      const link = await findLiveLink(context, params.id)
      const pages = link && (await deletionPages(link))
      if (pages && (await context.links.delete(targetOf(link))).outcome === 'deleted') {
        return sendDashboardPage(reply, pages.done)
      }
      return reply.redirect(`/dashboard/links/${params.id}`, 303)
    })
  }
}
