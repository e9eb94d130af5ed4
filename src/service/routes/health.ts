import { sql } from 'kysely'
import type { FastifyPluginAsync } from 'fastify'
import type { Database } from '../../database/database.ts'

/** `/healthz`: the process answers. `/readyz`: the database does as well. */
export function healthRoutes({ db }: Database): FastifyPluginAsync {
  return async (scope) => {
    scope.get('/healthz', () => ({ status: 'ok' }))
    scope.get('/readyz', async (request, reply) => {
      try {
        await sql`select 1`.execute(db)
        return { status: 'ok' }
      } catch (error) {
        request.log.error({ err: error }, 'the database does not answer')
        return reply.code(503).send({ status: 'not ready' })
      }
    })
  }
}
