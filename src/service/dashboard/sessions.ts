import type { FastifyInstance } from 'fastify'
import { html } from '../../web/layout.ts'
import type { ServiceContext } from '../store/context.ts'
import { endListedSession, listSessions, SESSIONS_AT_ONCE } from '../store/session-list.ts'
import { KEPT_DAYS } from '../store/sessions.ts'
import { needs } from './access.ts'
import { postButton } from './form.ts'
import {
  moment,
  pageAsked,
  pager,
  sendDashboardPage,
  sendNotFound,
  table,
  withNote,
} from './page.ts'

const PATH = '/dashboard/sessions'
const NEEDS = needs('owner_access')

export function sessionRoutes({ db, now }: ServiceContext) {
  return async (scope: FastifyInstance) => {
    scope.get(PATH, NEEDS, async (request, reply) => {
      const { viewer } = request
      const at = { page: pageAsked(request), now: now() }
      const sessions = await listSessions(db, viewer.ownerId, at)
      // The key's holder says who a person is, so the key's name and the person's ID are shown as well.
      const rows = sessions.slice(0, SESSIONS_AT_ONCE).map((session) => [
        session.person_id === null
          ? 'Administrator'
          : withNote(session.person_name || session.person_id, session.person_id),
        session.role ?? 'administrator',
        session.workspace && withNote(session.workspace, session.key_name),
        session.owner_name && html`<bdi>${session.owner_name}</bdi>`,
        moment(session.created_at),
        session.endsAt > at.now ? moment(session.endsAt) : html`Ended ${moment(session.endsAt)}`,
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
      const headings = [
        'Name',
        'Role',
        'Slack workspace',
        'Links of',
        'Signed in',
        'Ends',
        'Actions',
      ]
      const content = [
        html`<p class="lead">Who signed in to this dashboard in the last ${KEPT_DAYS} days.</p>`,
        table('Sessions', headings, rows),
        pager(PATH, at.page, sessions.length > SESSIONS_AT_ONCE),
      ]
      return sendDashboardPage(reply, { title: 'Sessions', content })
    })

    scope.post<{ Params: { id: string } }>(`${PATH}/:id/end`, NEEDS, async (request, reply) => {
      const { viewer, params } = request
      const isFound = await endListedSession(db, viewer.ownerId, params.id, now())
      return isFound ? reply.redirect(PATH, 303) : sendNotFound(reply)
    })
  }
}
