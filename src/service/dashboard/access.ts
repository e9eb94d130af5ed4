import type { FastifyInstance } from 'fastify'
import { validate as isUuid } from 'uuid'
import type { Pictures } from '../../picture/pictures.ts'
import { notFound } from '../api/errors.ts'
import type { OwnerTurns } from '../api/owner-turns.ts'
import type { LinkContext, ServiceContext } from '../store/context.ts'
import { findShownLink, type LinkRow } from '../store/links.ts'
import { sendRefusal } from './page.ts'
import { whyRefused, type Need } from './viewer.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    needs?: Need
  }
  interface FastifyRequest {
    /** Set by checkAccess on paths like `/dashboard/links/:id`, and not on others. The link might be deleted. */
    link: LinkRow
  }
}

/** Each route declares which permission it needs. checkAccess checks it before the route runs. */
export const needs = (need: Need) => ({ config: { needs: need } })

export interface DashboardContext extends LinkContext {
  inTurn: OwnerTurns
  pictures: Pick<Pictures, 'fit'>
}

/** @throws ServiceError NOT_FOUND if the record is undefined. The error handler then shows “Page not found” */
export function found<T>(record: T | undefined): T {
  if (record === undefined) throw notFound()
  return record
}

export type ById = { Params: { id: string } }

export function checkAccess(scope: FastifyInstance, { db }: Pick<ServiceContext, 'db'>): void {
  scope.decorateRequest('link')
  scope.addHook('onRequest', async (request, reply) => {
    const { viewer, routeOptions } = request
    const refusal = whyRefused(viewer, routeOptions.config.needs)
    if (refusal !== undefined) return sendRefusal(reply, refusal)
    const { id } = request.params as { id?: string }
    if (id === undefined) return
    // A path can contain NUL, which PostgreSQL and HTTP headers reject.
    if (!isUuid(id)) throw notFound()
    if (!routeOptions.url?.startsWith('/dashboard/links/')) return
    const link = found(await findShownLink(db, viewer.reach, id))
    const linkRefusal = whyRefused(viewer, routeOptions.config.needs, link)
    if (linkRefusal !== undefined) return sendRefusal(reply, linkRefusal)
    request.link = link
  })
}
