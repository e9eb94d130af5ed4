import type { FastifyReply, FastifyRequest } from 'fastify'

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])
const LOOPBACK_ADDRESSES = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/

/**
 * Accepts only requests from this machine to a loopback hostname, because the playground has no login. Without the
 * check of the Host header, a foreign web page could make its own name resolve to this machine (DNS rebinding). Headers
 * that a proxy sets are ignored.
 */
export async function loopbackOnly(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const host = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? ''
  const isLocal = LOOPBACK_ADDRESSES.test(request.socket.remoteAddress ?? '')
  if (isLocal && LOOPBACK_HOSTS.has(host)) return
  await reply.code(403).send({
    ok: false,
    message: 'The playground only works on the machine that it runs on, at localhost.',
  })
}

/** Prevents foreign web pages from acting as a person, or reading what a person sees. */
export async function ownPageOnly(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { origin, host, 'sec-fetch-site': site = 'same-origin' } = request.headers
  const isOwnOrigin = origin === undefined || URL.parse(origin)?.host === host
  if (isOwnOrigin && (site === 'same-origin' || site === 'none')) return
  await reply.code(403).send({ ok: false, message: 'Only the playground’s own page can do this.' })
}
