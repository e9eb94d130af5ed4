import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import { html } from '../../web/layout.ts'
import type { ServiceContext } from '../store/context.ts'
import {
  endListedSession,
  type ListedSession,
  listSessions,
  SESSIONS_AT_ONCE,
} from '../store/session-list.ts'
import { KEPT_DAYS } from '../store/sessions.ts'
import { needs } from './access.ts'
import { postButton } from './form.ts'
import {
  type DashboardPage,
  moment,
  pageAsked,
  pager,
  sendDashboardPage,
  sendNotFound,
  table,
} from './page.ts'
import { ownerOf, type Viewer } from './viewer.ts'

const PATH = '/dashboard/sessions'

const NEEDS = needs('owner_access')

/** Who is and was signed in: for the administrator, and for the admins of an owner's workspaces. */
export function sessionRoutes({ db, now }: ServiceContext) {
  return async (scope: FastifyInstance) => {
    scope.get(PATH, NEEDS, async (request, reply) => {
      const { viewer } = request
      const at = { page: pageAsked(request), now: now(), viewer }
      const sessions = await listSessions(db, ownerOf(viewer), at)
      return sendDashboardPage(reply, sessionsPage(sessions, at))
    })

    scope.post<{ Params: { id: string } }>(`${PATH}/:id/end`, NEEDS, async (request, reply) => {
      const { viewer, params } = request
      const isFound = await endListedSession(db, ownerOf(viewer), params.id, now())
      return isFound ? reply.redirect(PATH, 303) : sendNotFound(reply, PATH)
    })
  }
}

function sessionsPage(
  sessions: readonly ListedSession[],
  { page, now, viewer }: { page: number; now: number; viewer: Viewer },
): DashboardPage {
  return {
    section: PATH,
    title: 'Sessions',
    content: [
      html`<p class="lead">Who signed in to this dashboard in the last ${KEPT_DAYS} days.</p>`,
      table(
        'Sessions',
        ['Name', 'Role', 'Workspace', 'Owner', 'Signed in', 'Ends', 'Actions'],
        sessions.slice(0, SESSIONS_AT_ONCE).map((session) => [
          session.person_id === null
            ? 'Administrator'
            : withNote(session.person_name || session.person_id, session.person_id),
          session.role ?? 'administrator',
          session.workspace && withNote(session.workspace, session.key_name),
          session.owner_name && html`<bdi>${session.owner_name}</bdi>`,
          moment(session.created_at),
          session.endsAt > now ? moment(session.endsAt) : html`Ended ${moment(session.endsAt)}`,
          session.id === viewer.sessionId
            ? 'This session'
            : session.endsAt > now &&
              postButton({
                action: `${PATH}/${session.id}/end`,
                label: 'End',
                about: session.person_name ?? 'administrator',
                danger: true,
              }),
        ]),
      ),
      pager(PATH, page, sessions.length > SESSIONS_AT_ONCE),
    ],
  }
}

/** The key's holder says who a person is, so the key's name and the person's ID are shown as well. */
function withNote(text: string, note: string | null): ComponentChildren {
  return html`<div>
    <bdi>${text}</bdi> <small><bdi>${note}</bdi></small>
  </div>`
}
