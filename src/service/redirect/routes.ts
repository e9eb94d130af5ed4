import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { RedirectMetrics } from '../../metrics/metrics.ts'
import { sendPage } from '../../web/send-page.ts'
import type { Blocklist } from '../store/blocklist.ts'
import type { ChangedLinks } from '../store/changed-links.ts'
import type { ServiceContext } from '../store/context.ts'
import type { Usage } from '../store/usage.ts'
import { blockedPage, endedPage } from './pages.ts'
import { previewCardPage } from './preview-card.ts'
import { createRedirectCache } from './redirect-cache.ts'
import { referringHost } from './referring-host.ts'
import { classifyVisitor } from './visitor.ts'

/** Makes browsers ask again each time, so that every click is counted. */
const CACHE_CONTROL = 'private, no-cache'

/** A link that is turned off may work again. */
const ENDED_CACHE_CONTROL = 'no-store'

/**
 * `GET|HEAD /{back_half}`: redirects a short URL, unless its link is off, expired or deleted. Programs that show preview
 * cards get the link's custom preview instead, if it has one.
 */
export function redirectRoutes(
  context: ServiceContext & {
    usage: Usage
    blocklist: Blocklist
    changedLinks: ChangedLinks
    metrics?: RedirectMetrics | undefined
  },
): FastifyPluginAsync {
  const { usage, blocklist, addresses, metrics, now } = context
  const redirects = createRedirectCache(context)
  return async (scope) => {
    scope.get<{ Params: { backHalf: string } }>('/:backHalf', async (request, reply) => {
      const redirect = await redirects.find(request.hostname, request.params.backHalf)
      if (!redirect) {
        metrics?.responded('not_found')
        return reply.callNotFound()
      }
      const { linkId, life, location, hostname, hasCard } = redirect
      const ended = endedPage(life, now())
      if (ended) {
        metrics?.responded('ended')
        return sendPage(reply, 410, ended, ENDED_CACHE_CONTROL)
      }
      if (blocklist.blocks(hostname)) {
        metrics?.responded('blocked')
        return sendPage(reply, 410, blockedPage)
      }
      const visitor = classifyVisitor(request.headers['user-agent'])
      if (isClick(request)) {
        const host = referringHost(request, addresses)
        usage.countClick(linkId, visitor === 'person' ? 'person' : 'bot', host)
      }
      if (hasCard) {
        reply.header('vary', 'User-Agent')
        const card = visitor === 'card_crawler' ? await previewCardPage(context, linkId) : undefined
        if (card) {
          metrics?.responded('card')
          return sendPage(reply, 200, card)
        }
      }
      metrics?.responded('redirected')
      return reply.code(302).headers({ location, 'cache-control': CACHE_CONTROL }).send()
    })
  }
}

/** HEAD requests don't count, nor do requests that a browser makes before the user clicks. */
function isClick({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && !/prefetch|prerender/.test(String(headers['sec-purpose'] ?? ''))
}
