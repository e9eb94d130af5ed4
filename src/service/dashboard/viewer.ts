import type { DashboardRole } from '../../contract/extension-calls.ts'
import type { Person } from '../../contract/person.ts'
import type { KeyAccess } from '../store/scopes.ts'
import type { Session } from '../store/sessions.ts'

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
