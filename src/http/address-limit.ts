import { compile } from '@fastify/proxy-addr'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'
import { OverloadedError } from './overloaded-error.ts'
import { createLogLimit } from './log-limit.ts'

/**
 * For IPv6, the /64 network, which usually belongs to one customer. Undefined for loopback addresses: they have no
 * limit, because all programs on this machine share them.
 */
export function clientNetwork(address = ''): string | undefined {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (plain === '127.0.0.1' || plain === '::1') return undefined
  if (!plain.includes(':')) return plain
  const [start = ''] = plain.split('::')
  return [...start.split(':'), 0, 0, 0].slice(0, 4).join(':')
}

/**
 * Limits the connections from one address, so that no client uses up those of the server. A further connection closes
 * the oldest of its address, which is probably idle. Behind trusted proxies, requests in flight are limited instead.
 */
export function limitAddresses(
  server: FastifyInstance,
  perAddress: number,
  trustProxy: string,
  logger: FastifyBaseLogger,
): void {
  const isProxy = trustProxy ? compile(trustProxy.split(',').map((text) => text.trim())) : undefined
  const limit = createLogLimit(logger)
  const sockets = new Map<string, Set<Socket>>()
  server.server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const network = clientNetwork(remoteAddress)
    if (network === undefined || isProxy?.(remoteAddress, 0)) return
    const open = sockets.get(network) ?? new Set()
    sockets.set(network, open.add(socket))
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0) sockets.delete(network)
    })
    const [oldest] = open
    if (open.size <= perAddress || !oldest) return
    open.delete(oldest)
    oldest.destroy()
    limit.write('connections', () =>
      logger.warn(
        `An address has more than ${perAddress} connections, so its oldest ones are closed. If it is your proxy, name it in TRUST_PROXY. Otherwise, MAX_CONNECTIONS_PER_ADDRESS changes the limit.`,
      ),
    )
  })
  if (!isProxy) return
  const inFlight = new Map<string, number>()
  server.addHook('onRequest', ({ ip, socket }, reply, done) => {
    const network = clientNetwork(ip)
    if (network === undefined || ip === socket.remoteAddress) return done()
    const count = (inFlight.get(network) ?? 0) + 1
    if (count > perAddress) {
      reply.header('connection', 'close').header('retry-after', 1)
      return done(new OverloadedError('Too many requests from your address at once. Try again.'))
    }
    inFlight.set(network, count)
    reply.raw.once('close', () => {
      const left = (inFlight.get(network) ?? 1) - 1
      if (left > 0) inFlight.set(network, left)
      else inFlight.delete(network)
    })
    done()
  })
}
