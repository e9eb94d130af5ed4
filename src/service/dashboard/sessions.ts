import type { FastifyInstance } from 'fastify'
import { html } from '../../web/pages.ts'
import { notFound } from '../api/errors.ts'
import type { ServiceContext } from '../store/context.ts'
import { endListedSession, listSessions, SESSIONS_AT_ONCE } from '../store/session-list.ts'
import { KEPT_DAYS } from '../store/sessions.ts'
import { type ById, needs } from './access.ts'
import { postButton } from './form.ts'
import * as pages from './page.ts'

const PATH = '/dashboard/sessions'
const NEEDS = needs('owner_access')

export async function sessionRoutes(scope: FastifyInstance, { db, now }: ServiceContext) {
  scope.get(PATH, NEEDS, async (request, reply) => {
    const { viewer } = request
    const at = { page: pages.pageAsked(request), now: now() }
    const sessions = await listSessions(db, viewer.ownerId, at)
    // The holder of the API key said who the person is, so the key's name and the person's ID are shown as well.
    const rows = sessions.slice(0, SESSIONS_AT_ONCE).map((session) => [
      session.person_id === null
        ? 'Administrator'
        : pages.withNote(session.person_name || session.person_id, session.person_id),
      session.role ?? 'administrator',
      session.workspace && pages.withNote(session.workspace, session.key_name),
      session.owner_name && html`<bdi>${session.owner_name}</bdi>`,
      pages.moment(session.created_at),
      html`${session.endsAt <= at.now && 'Ended '}${pages.moment(session.endsAt)}`,
      session.id === viewer.sessionId
        ? 'This session'
        : session.endsAt > at.now &&
          postButton({
            action: `${PATH}/${session.id}/end`,
            label: 'End',
            about: session.person_name ?? 'administrator',
            danger: true,
          }),
    ])
    const headings = ['Name', 'Role', 'Slack workspace', 'Links of', 'Signed in', 'Ends', 'Actions']
    const content = [
      html`<p class="lead">Who signed in to this dashboard in the last ${KEPT_DAYS} days.</p>`,
      pages.table('Sessions', headings, rows),
      pages.pager(PATH, at.page, sessions.length > SESSIONS_AT_ONCE),
    ]
    return pages.sendDashboardPage(reply, { title: 'Sessions', content })
  })

  scope.post<ById>(`${PATH}/:id/end`, NEEDS, async (request, reply) => {
    const { viewer, params } = request
    if (!(await endListedSession(db, viewer.ownerId, params.id, now()))) throw notFound()
    return reply.redirect(PATH, 303)
  })
}
