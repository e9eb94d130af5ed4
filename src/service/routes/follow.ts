import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Blocklist } from '../blocklist.ts'
import type { FollowedLinks } from '../followed-links.ts'
import { pages } from '../pages/pages.ts'
import type { PreviewCards } from '../preview-cards.ts'
import type { Usage } from '../store/usage.ts'
import { visitorOf, type Visitor } from '../visitor.ts'
import { sendPage } from './pages.ts'

/** Browsers ask again each time, so that each visit is counted. */
const CACHE_CONTROL = 'private, no-cache'

/**
 * `GET|HEAD /{back_half}`: following a short URL. Programs that draw link cards get the link's
 * own preview, where it has one; everybody else is led to the destination.
 */
export function followRoutes({
  followed,
  cards,
  usage,
  blocklist,
}: {
  followed: FollowedLinks
  cards: PreviewCards
  usage: Usage
  blocklist: Blocklist
}): FastifyPluginAsync {
  return async (scope) => {
    scope.get<{ Params: { backHalf: string } }>('/:backHalf', async (request, reply) => {
      const link = await followed.find(request.hostname, request.params.backHalf)
      if (!link) return reply.callNotFound()
      if (blocklist.blocks(link.hostname)) return sendPage(reply, 410, pages.blocked)
      const visitor = visitorOf(request.headers['user-agent'])
      if (isVisit(request)) usage.linkFollowed(link.id, visitor)
      if (link.hasCard) {
        reply.header('vary', 'User-Agent')
        const card = await cardFor(visitor, link.id)
        if (card !== undefined) return sendPage(reply, 200, card)
      }
      return reply
        .code(302)
        .headers({ location: link.destination, 'cache-control': CACHE_CONTROL })
        .send()
    })
  }

  async function cardFor(visitor: Visitor, linkId: string): Promise<string | undefined> {
    return visitor === 'card_crawler' ? cards.draw(linkId) : undefined
  }
}

/** A HEAD request, or one that a browser makes ahead of a click that may never come, is none. */
function isVisit({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && !/prefetch|prerender/.test(String(headers['sec-purpose'] ?? ''))
}
