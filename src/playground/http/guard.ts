import type { FastifyReply, FastifyRequest } from 'fastify'

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])
const LOOPBACK_ADDRESSES = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/

/**
 * Lets in only who is on this machine, under a name of this machine: the playground has no log-in.
 * The Host header is checked because a foreign web page can have its own name point here (DNS
 * rebinding); the socket's address and the raw header, because what a proxy says does not count.
 */
export async function loopbackOnly(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const host = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? ''
  const here = LOOPBACK_ADDRESSES.test(request.socket.remoteAddress ?? '')
  if (here && LOOPBACK_HOSTS.has(host)) return
  await reply.code(403).send({
    ok: false,
    message: 'The playground can be used only on the machine that it runs on, at localhost.',
  })
}

/** Lets in the app, which is no browser: a web page that poses as one is refused. */
export async function noBrowser(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin === undefined && site === undefined) return
  await reply.code(403).send({ ok: false, error: 'not_allowed' })
}

/** Keeps foreign web pages from acting as a person, or from watching one. */
export async function ownPageOnly(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin, host, 'sec-fetch-site': site = 'same-origin' } = request.headers
  const ownOrigin = origin === undefined || URL.parse(origin)?.host === host
  if (ownOrigin && (site === 'same-origin' || site === 'none')) return
  await reply.code(403).send({ ok: false, message: 'Only the playground’s own page may do this.' })
}
