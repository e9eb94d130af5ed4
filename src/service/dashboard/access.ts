import type { FastifyRequest } from 'fastify'
import type { Pictures } from '../../picture/pictures.ts'
import { notFound } from '../api/errors.ts'
import type { OwnerTurns } from '../api/owner-turns.ts'
import type { LinkTarget } from '../store/change-link.ts'
import type { LinkContext, ServiceContext } from '../store/context.ts'
import type { LinkRow } from '../store/links.ts'
import type { Scope } from '../store/scopes.ts'
import { findViewer, type Viewer } from '../store/sessions.ts'

export type { Viewer }

export type Member = Extract<Viewer, { kind: 'member' }>

declare module 'fastify' {
  interface FastifyContextConfig {
    needs?: Need
  }
  interface FastifyInstance {
    /** With HTTPS, `__Host-`, because no other host of the same site can set a cookie with it. Otherwise empty. */
    cookiePrefix: string
  }
  interface FastifyRequest {
    viewer: Viewer
    /** Set by checkAccess on paths like `/dashboard/links/:id`, and not on others. The link might be deleted. */
    link: LinkRow
  }
}

export interface DashboardContext extends LinkContext {
  inTurn: OwnerTurns
  pictures: Pick<Pictures, 'fit'>
}

export type ById = { Params: { id: string } }

/** @throws ServiceError NOT_FOUND if the record is undefined. The error handler then shows “Page not found” */
export function found<T>(record: T | undefined): T {
  if (record === undefined) throw notFound()
  return record
}

export const sessionCookie = ({ server }: Pick<FastifyRequest, 'server'>): string =>
  `${server.cookiePrefix}backhalf_session`

export function personName({ person: { id, name } }: Member): string {
  return name || id
}

/** A long job calls it for each batch, because the session can end and the permissions can change in the meantime. */
export async function readViewer({ db, now }: ServiceContext, request: FastifyRequest) {
  const token = request.cookies[sessionCookie(request)]
  return token === undefined ? undefined : findViewer(db, 'session', token, now())
}

/** What a page requires of its viewer: a permission, or only that they are signed in (`session`). */
export type Need =
  | Extract<Scope, `shortlinks:${string}`>
  | 'import'
  | 'tags'
  | 'owner_access'
  | 'administrator'
  | 'session'

/** Each route declares which permission it needs. checkAccess checks it before the route runs. */
export const needs = (need: Need) => ({ config: { needs: need } })

export function whyRefused(viewer: Viewer, need: Need | undefined, link?: LinkRow) {
  if (viewer.kind === 'administrator' || need === 'session') return undefined
  const { role, scopes, domainIds, workspace, person } = viewer
  if (need === undefined || need === 'administrator') {
    return 'Only the administrator of this link service can do this.'
  }
  if (need === 'owner_access') {
    return role === 'admin' ? undefined : `Only admins of ${workspace} can see this.`
  }
  const scopeOf = { import: 'shortlinks:create', tags: 'shortlinks:update' } as const
  // Every page about links shows links, so it needs shortlinks:read, too.
  const requiredScopes = [
    'shortlinks:read',
    need === 'import' || need === 'tags' ? scopeOf[need] : need,
  ]
  const missing = requiredScopes.find((scope) => !scopes.has(scope))
  if (missing !== undefined) {
    return `The API key of ${workspace} doesn’t allow this (${missing}). The administrator of this link service can change that.`
  }
  if (need === 'tags' && domainIds) {
    return `A tag can be on links of any domain, and the API key of ${workspace} can’t reach all domains. Ask the administrator of this link service to change tags.`
  }
  if (role !== 'creator' || need === 'shortlinks:read') return undefined
  if (need === 'import') {
    return 'You can’t import links. Ask an admin of your Slack workspace to import the file.'
  }
  if (need === 'tags') {
    return 'You can change only links that you created, and other people’s links might have this tag. Ask an admin of your Slack workspace to change it.'
  }
  return link && link.person_id !== person.id
    ? 'You can change only links that you created. To change this one, ask the person who created it, or an admin of your Slack workspace.'
    : undefined
}

export function may(viewer: Viewer, need: Need, link?: LinkRow): boolean {
  return whyRefused(viewer, need, link) === undefined
}

/** Names the queue of the viewer's slow reads. Each owner has a queue, and so does the administrator. */
export const readQueue = (viewer: Viewer): string => viewer.ownerId ?? viewer.kind

export function linkTarget({ domainIds, creator }: Viewer, link: LinkRow): LinkTarget {
  return { linkId: link.id, ownerId: link.owner_id, domainIds, creator }
}
