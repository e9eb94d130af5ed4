import type { FastifyPluginAsync } from 'fastify'
import type { ComponentChildren } from 'preact'
import { html } from '../../web/layout.ts'
import { formatCount } from '../../web/numbers.ts'
import { countClicks } from '../store/clicks.ts'
import { KEPT_DAYS } from '../store/link-destinations.ts'
import type { LinkRow } from '../store/links.ts'
import { DASHBOARD } from '../store/makers.ts'
import { postButton } from './form.ts'
import type { LinkContext } from '../store/context.ts'
import { withoutScheme } from './links-page.ts'
import { sendDashboardPage, sendNotFound, type DashboardPage } from './page.ts'
import { findLiveLink } from './link-routes.ts'

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
    maker: { madeBy: DASHBOARD },
  })

  /** What is, or was, deleted. */
  async function facts(link: LinkRow): Promise<ComponentChildren> {
    const clicks = (await countClicks(db, [link.id])).get(link.id) ?? 0
    return html`<dl>
      <dt>Short URL</dt>
      <dd>${withoutScheme(addresses.shortUrl(link))}</dd>
      ${link.title !== null && [html`<dt>Title</dt>`, html`<dd>${link.title}</dd>`]}
      <dt>Destination</dt>
      <dd>${link.destination_url}</dd>
      <dt>Clicks</dt>
      <dd>${formatCount(clicks, 'click')} by people</dd>
    </dl>`
  }

  async function confirmationPage(link: LinkRow): Promise<DashboardPage> {
    const shortUrl = withoutScheme(addresses.shortUrl(link))
    const shown = await facts(link)
    return {
      title: `Delete ${shortUrl}?`,
      content: (csrf) => [
        html`<p class="lead">
          The short URL will never lead anywhere again. This can’t be undone, and no other link can
          get it. For ${KEPT_DAYS} days, this dashboard still shows where it led.
        </p>`,
        shown,
        html`<div class="actions">
          ${postButton({
            action: `/dashboard/links/${link.id}/delete`,
            csrf,
            label: 'Delete link',
            about: shortUrl,
            danger: true,
          })}
          <a href=${`/dashboard/links/${link.id}`}>Cancel</a>
        </div>`,
        html`<p><small>To stop it for a while, turn it off instead.</small></p>`,
      ],
    }
  }

  return async (scope) => {
    for (const [path, enabled] of [
      ['turn-off', 0],
      ['turn-on', 1],
    ] as const) {
      scope.post<ById>(`/dashboard/links/:id/${path}`, async ({ params }, reply) => {
        const link = await findLiveLink(context, params.id)
        if (link) await context.links.update(targetOf(link), { fields: { enabled } })
        return reply.redirect(`/dashboard/links/${params.id}`, 303)
      })
    }

    scope.get<ById>('/dashboard/links/:id/delete', async ({ params }, reply) => {
      const link = await findLiveLink(context, params.id)
      if (!link) return sendNotFound(reply, '/dashboard')
      return sendDashboardPage(reply, await confirmationPage(link))
    })

    scope.post<ById>('/dashboard/links/:id/delete', async ({ params }, reply) => {
      const page = `/dashboard/links/${params.id}`
      const link = await findLiveLink(context, params.id)
      const shown = link && (await facts(link))
      if (!link || (await context.links.delete(targetOf(link))).outcome !== 'deleted') {
        return reply.redirect(page, 303)
      }
      // The page of a deleted link doesn't have its title anymore.
      const content = () => [
        shown,
        html`<p><a href=${page}>What is left of the link</a></p>`,
        html`<p><a href="/dashboard">Show all links</a></p>`,
      ]
      return sendDashboardPage(reply, { title: 'Deleted', content })
    })
  }
}
