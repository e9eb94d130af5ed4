import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RedirectOutcome } from '../../metrics/service-metrics.ts'
import { sendPage } from '../../web/pages.ts'
import { EMPTY_BLOCKLIST, type Blocklist } from '../store/blocklist.ts'
import { findDomainPage } from '../store/domain-pages.ts'
import type { Usage } from '../store/usage.ts'
import { blockedPage, ENDED_CACHE_CONTROL, endedPage, homePage } from './pages.ts'
import { previewCardPage } from './previews.ts'
import { createRedirectCache, type Redirect, type RedirectContext } from './redirect-cache.ts'
import { referringHost, classifyVisitor } from './visitor.ts'

// Makes browsers send a request each time, so that every click is counted.
const CACHE_CONTROL = 'private, no-cache'

export async function redirectRoutes(
  scope: FastifyInstance,
  context: RedirectContext & { usage: Usage; blocklist: Blocklist },
) {
  const { usage, blocklist, addresses, metrics, now } = context
  const redirects = createRedirectCache(context)

  function countResponse<Response>(outcome: RedirectOutcome, response: Response): Response {
    metrics?.responses.inc({ outcome })
    return response
  }

  function respond(redirect: Redirect | undefined, request: FastifyRequest, reply: FastifyReply) {
    if (!redirect) return respondToUnknown(request, reply)
    const { linkId, location, hasCard } = redirect
    const ended = endedPage(redirect, now())
    if (ended) return countResponse('ended', sendPage(reply, 410, ended, ENDED_CACHE_CONTROL))
    // Without a blocklist, the URL isn't parsed, because this takes longer than the rest of a redirect.
    if (blocklist !== EMPTY_BLOCKLIST && blocklist.blocks(new URL(location).hostname)) {
      return countResponse('blocked', sendPage(reply, 410, blockedPage))
    }
    const visitor = classifyVisitor(request.headers['user-agent'])
    if (isClick(request)) {
      const host = referringHost(request, addresses)
      usage.countClick(linkId, visitor === 'person' ? 'person' : 'bot', host)
    }
    if (hasCard) {
      reply.header('vary', 'User-Agent')
      if (visitor === 'card_crawler') return sendCard(redirect, reply)
    }
    return countResponse('redirected', sendRedirect(reply, location))
  }

  async function respondToUnknown({ hostname }: FastifyRequest, reply: FastifyReply) {
    const location = await findDomainPage(context, hostname, 'not_found_url')
    return location
      ? countResponse('not_found_redirected', sendRedirect(reply, location))
      : countResponse('not_found', reply.callNotFound())
  }

  async function sendCard({ linkId, location }: Redirect, reply: FastifyReply) {
    const card = await previewCardPage(context, linkId)
    return card
      ? countResponse('card', sendPage(reply, 200, card))
      : countResponse('redirected', sendRedirect(reply, location))
  }

  scope.get('/', async ({ hostname }, reply) => {
    const location = await findDomainPage(context, hostname, 'home_url')
    return location ? sendRedirect(reply, location) : sendPage(reply, 200, homePage)
  })

  // Most redirects are in memory. They are sent without a promise, which would take longer than finding them.
  scope.get<{ Params: { backHalf: string } }>('/:backHalf', (request, reply) => {
    const redirect = redirects.find(request.hostname, request.params.backHalf)
    if (redirect instanceof Promise) {
      return redirect.then(async (read) => respond(read, request, reply))
    }
    return respond(redirect, request, reply)
  })
}

function sendRedirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(302).header('location', location).header('cache-control', CACHE_CONTROL).send()
}

// Headers in which browsers say that they prefetch a page. The last three are from older browsers.
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

// A HEAD request is no click, and neither is a request that a browser sends before the user clicks.
function isClick({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && !PURPOSE_HEADERS.some((name) => isPrefetch(headers[name]))
}

function isPrefetch(purpose: string | string[] | undefined): boolean {
  return purpose !== undefined && /prefetch|prerender|preview/i.test(String(purpose))
}
