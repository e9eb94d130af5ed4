import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { html } from '../../web/layout.ts'
import { formatCount } from '../../web/numbers.ts'
import { countClicks } from '../store/clicks.ts'
import type { LinkRow } from '../store/links.ts'
import { formValues, postButton } from './form.ts'
import { historyTable } from './history-section.ts'
import type { LinkContext } from '../store/context.ts'
import { withoutScheme } from './links-page.ts'
import { alertBox, sendDashboardPage, sendNotFound, type DashboardPage } from './page.ts'
import { changesSince, findLiveLink, sendLink, withKeyNames } from './link-routes.ts'

type ById = { Params: { id: string } }

/** Turns links off and on, and deletes them. A form that was made for an earlier revision does nothing. */
export function changeRoutes(context: LinkContext): FastifyPluginAsync {
  const { db, addresses } = context

  const targetOf = (link: LinkRow, revision: unknown) => ({
    linkId: link.id,
    ownerId: link.owner_id,
    revisions: [Number(revision)],
    madeBy: 'dashboard',
  })

  /** Asks for confirmation. @param since the revision of an earlier confirmation that was out of date */
  async function sendConfirmation(
    reply: FastifyReply,
    link: LinkRow,
    since = link.revision,
  ): Promise<FastifyReply> {
    const shortUrl = withoutScheme(addresses.shortUrl(link))
    const clicks = (await countClicks(db, [link.id])).get(link.id) ?? 0
    const isStale = since !== link.revision
    const changes = isStale ? await changesSince(context, link, since) : []
    const history = await withKeyNames(context, changes)
    const page: DashboardPage = {
      title: `Delete ${shortUrl}?`,
      content: (csrf) => [
        isStale &&
          alertBox(
            html`<p><b>Not deleted: this link was changed after you opened this page.</b></p>`,
            historyTable(history),
          ),
        html`<p class="lead">
          The short URL will never lead anywhere again. This can’t be undone, and no other link can
          get it.
        </p>`,
        html`<dl>
          <dt>Short URL</dt>
          <dd>${shortUrl}</dd>
          <dt>Destination</dt>
          <dd>${link.destination_url}</dd>
          <dt>Clicks</dt>
          <dd>${formatCount(clicks, 'click')} by people</dd>
        </dl>`,
        html`<div class="actions">
          ${postButton({
            action: `/dashboard/links/${link.id}/delete`,
            csrf,
            label: 'Delete link',
            about: shortUrl,
            danger: true,
            fields: { revision: link.revision },
          })}
          <a href=${`/dashboard/links/${link.id}`}>Cancel</a>
        </div>`,
        html`<p><small>To stop it for a while, turn it off instead.</small></p>`,
      ],
    }
    return sendDashboardPage(reply, page, isStale ? 412 : 200)
  }

  return async (scope) => {
    for (const [path, enabled] of [
      ['turn-off', 0],
      ['turn-on', 1],
    ] as const) {
      scope.post<ById>(`/dashboard/links/:id/${path}`, async (request, reply) => {
        const page = `/dashboard/links/${request.params.id}`
        const link = await findLiveLink(context, request.params.id)
        // After a double click, the link already has the wanted state.
        if (!link || link.enabled === enabled) return reply.redirect(page, 303)
        const target = targetOf(link, formValues(request)['revision'])
        const { outcome } = await context.links.update(target, { fields: { enabled } })
        if (outcome !== 'stale') return reply.redirect(page, 303)
        const current = await findLiveLink(context, link.id)
        if (!current || current.enabled === enabled) return reply.redirect(page, 303)
        const alert = `The link was not turned ${enabled === 1 ? 'on' : 'off'}, because it was changed after you opened the page. The page now shows the change. Check it, and try again.`
        return sendLink(context, reply, current, { status: 412, alert })
      })
    }

    scope.get<ById>('/dashboard/links/:id/delete', async ({ params }, reply) => {
      const link = await findLiveLink(context, params.id)
      return link ? sendConfirmation(reply, link) : sendNotFound(reply, '/dashboard')
    })

    scope.post<ById>('/dashboard/links/:id/delete', async (request, reply) => {
      const page = `/dashboard/links/${request.params.id}`
      const { revision } = formValues(request)
      const link = await findLiveLink(context, request.params.id)
      if (!link) return reply.redirect(page, 303)
      const { outcome } = await context.links.delete(targetOf(link, revision))
      if (outcome !== 'stale') return reply.redirect(page, 303)
      const current = await findLiveLink(context, link.id)
      return current
        ? sendConfirmation(reply, current, Number(revision))
        : reply.redirect(page, 303)
    })
  }
}
