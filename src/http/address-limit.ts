import { compile } from '@fastify/proxy-addr'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'
import { OverloadedError } from './overloaded-error.ts'
import { createLogLimit } from './log-limit.ts'

/**
 * Of an IPv6 address, only the /64 network counts, because an internet provider usually gives one to each customer.
 * @returns undefined for loopback addresses. They have no limit, because all programs on this machine share them
 */
export function clientNetwork(address = ''): string | undefined {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (plain === '127.0.0.1' || plain === '::1') return undefined
  if (!plain.includes(':')) return plain
  const [start = ''] = plain.split('::')
  return [...start.split(':'), 0, 0, 0].slice(0, 4).join(':') // 2001:db8::1 → 2001:db8:0:0
}

/**
 * If a client opens too many connections, its oldest is closed, because the oldest is probably idle. For clients behind
 * a trusted proxy, the requests in flight are limited instead, because the connections are the proxy's.
 */
export function limitAddresses(
  server: FastifyInstance,
  perAddress: number,
  trustProxy: string,
  logger: FastifyBaseLogger,
): void {
  const isProxy = trustProxy ? compile(trustProxy.split(',').map((part) => part.trim())) : undefined
  const warnings = createLogLimit(logger)
  const socketsByNetwork = new Map<string, Set<Socket>>()
  server.server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const network = clientNetwork(remoteAddress)
    if (network === undefined || isProxy?.(remoteAddress, 0)) return
    const open = socketsByNetwork.get(network) ?? new Set()
    socketsByNetwork.set(network, open.add(socket))
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0) socketsByNetwork.delete(network)
    })
    const [oldest] = open
    if (open.size <= perAddress || !oldest) return
    open.delete(oldest)
    oldest.destroy()
    warnings.write('connections', () =>
      logger.warn(
        `An address has more than ${perAddress} connections, so its oldest ones are closed. If it is your proxy, name it in TRUST_PROXY. Otherwise, MAX_CONNECTIONS_PER_ADDRESS changes the limit.`,
      ),
    )
  })
  if (!isProxy) return
  const inFlight = new Map<string, number>()
  server.addHook('onRequest', ({ ip, socket }, reply, done) => {
    const network = clientNetwork(ip)
    const isDirect = ip === socket.remoteAddress
    if (network === undefined || isDirect) return done()
    const count = (inFlight.get(network) ?? 0) + 1
    if (count > perAddress) {
      reply.header('connection', 'close').header('retry-after', 1)
      return done(new OverloadedError('Too many requests from your address at once. Try again.'))
    }
    inFlight.set(network, count)
    reply.raw.once('close', () => {
      const remaining = (inFlight.get(network) ?? 1) - 1
      if (remaining > 0) inFlight.set(network, remaining)
      else inFlight.delete(network)
    })
    done()
  })
}
