import type { FastifyPluginAsync } from 'fastify'
import type { FollowedLinks } from '../followed-links.ts'

/** Browsers ask again each time, so that later a visit can be counted and a preview change. */
const CACHE_CONTROL = 'private, no-cache'

/** `GET|HEAD /{back_half}`: following a short URL. */
export function followRoutes(followed: FollowedLinks): FastifyPluginAsync {
  return async (scope) => {
    scope.get<{ Params: { backHalf: string } }>('/:backHalf', async (request, reply) => {
      const destination = await followed.destination(request.hostname, request.params.backHalf)
      if (destination === undefined) return reply.callNotFound()
      return reply
        .code(302)
        .headers({ location: destination, 'cache-control': CACHE_CONTROL })
        .send()
    })
  }
}
