import type { FastifyRequest } from 'fastify'
import type { DashboardRole } from '../../contract/extension-calls.ts'
import type { Person } from '../../contract/person.ts'
import type { ServiceContext } from '../store/context.ts'
import type { KeyAccess } from '../store/scopes.ts'
import { findToken, SESSION_COOKIE, type Session } from '../store/sessions.ts'

/** Who uses the dashboard. It is read anew at each request, together with the key. */
export type Viewer = Administrator | Member

interface Administrator {
  kind: 'administrator'
  sessionId: string
}

/** A person whom the holder of an API key signed in. Nothing that the key can't reach may be shown or changed. */
export interface Member extends KeyAccess {
  kind: 'member'
  sessionId: string
  role: DashboardRole
  /** As the key's holder says. */
  person: Person
  /** The name of the workspace, as the key's holder says. */
  workspace: string
  ownerId: string
  ownerName: string
  apiKeyId: string
  /** When the session ends, in milliseconds since 1970. */
  endsAt: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** In the routes for people who are signed in. */
    viewer: Viewer
  }
}

/** A person without a name is shown by the ID. */
export function personName({ person: { id, name } }: Member): string {
  return name || id
}

export function toViewer({ id, member, expires_at: endsAt }: Session): Viewer {
  return member
    ? { kind: 'member', sessionId: id, endsAt, ...member }
    : { kind: 'administrator', sessionId: id }
}

/** Reads who sent a request; undefined: nobody who is signed in. Long work asks again while it runs. */
export async function readViewer(
  { db, now }: Pick<ServiceContext, 'db' | 'now'>,
  { cookies }: FastifyRequest,
): Promise<Viewer | undefined> {
  const token = cookies[SESSION_COOKIE]
  const session = token === undefined ? undefined : await findToken(db, 'session', token, now())
  return session && toViewer(session)
}
