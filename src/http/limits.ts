import { compile } from '@fastify/proxy-addr'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getHeapStatistics } from 'node:v8'
import { createLogLimit } from './log-limit.ts'

export class OverloadedError extends Error {
  override readonly name = 'OverloadedError'
  readonly statusCode = 503
}

/**
 * Of an IPv6 address, only the /64 network counts, because an internet provider usually gives one to each customer.
 * @returns undefined for loopback addresses. They have no limit, because all programs on this machine share them
 */
function clientNetwork(address = ''): string | undefined {
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
    if ((inFlight.get(network) ?? 0) >= perAddress) {
      reply.header('connection', 'close').header('retry-after', 1)
      return done(new OverloadedError('Too many requests from your address at once. Try again.'))
    }
    addTo(inFlight, network, 1)
    reply.raw.once('close', () => addTo(inFlight, network, -1))
    done()
  })
}

/** Removes a count that becomes 0, so that the map doesn't grow with every client. */
function addTo<Key>(counts: Map<Key, number>, key: Key, change: number): void {
  const sum = (counts.get(key) ?? 0) + change
  if (sum > 0) counts.set(key, sum)
  else counts.delete(key)
}

const MIB = 1024 * 1024

export interface BodyBudget {
  bytes: number
  held: Map<BodyHolder, number>
}

/** A quarter of the heap. The largest form fits into an owner's share of the smallest budget. */
export const BODY_BUDGET: BodyBudget = {
  bytes: Math.min(64 * MIB, Math.max(16 * MIB, getHeapStatistics().heap_size_limit / 4)),
  held: new Map(),
}

// The share of the budget that the bodies of each kind of holder can take. All strangers are one holder.
const SHARES = {
  all: 1,
  slack: 1 / 4,
  stranger: 1 / 4,
  address: 1 / 8,
  owner: 1 / 4,
  session: 1 / 8,
}

// `owner:o1`, for example
type BodyHolder = `${keyof typeof SHARES}:${string}`

// The memory for a chunk of a body, besides its bytes. A body might come in chunks of one byte.
const CHUNK_OVERHEAD_BYTES = 256

// After its first kilobyte, a body must arrive at this rate on average.
const FIRST_BYTES = 1_024
const BYTES_PER_SECOND = 2_000

declare module 'fastify' {
  interface FastifyRequest {
    bodyHolders: readonly BodyHolder[] | undefined
  }
}

export interface CountedMessage extends IncomingMessage {
  /** Counts a chunk of the body. @returns false if the body is refused, because there is no room */
  add?(bytes: number): boolean
  /** Gives back memory, for example after the form parser has moved a file of the body to the disk. */
  free?(bytes: number): void
  response?: ServerResponse
}

export function messageClass(Message: typeof IncomingMessage): typeof IncomingMessage {
  return class extends Message {
    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      const isRefused = chunk !== null && (this as CountedMessage).add?.(chunk.length) === false
      return isRefused || super.push(chunk, encoding)
    }
  }
}

/**
 * A body counts until the response is sent. It is refused if it arrives too slowly or if no room is left in the budget.
 * A hook that knows who sent the request sets `bodyHolders` before `preParsing`. Otherwise, the body is a stranger's.
 */
export function limitBodies(server: FastifyInstance, budget: BodyBudget, firstKilobyteMs: number) {
  server.decorateRequest('bodyHolders')
  server.addHook('preParsing', (request, reply, _payload, done) => {
    const { headers, ip, bodyHolders } = request
    if (!headers['transfer-encoding'] && !Number(headers['content-length'] ?? 0)) return done()
    const raw: CountedMessage = request.raw
    const network = clientNetwork(ip)
    const holders: BodyHolder[] = ['all:', ...(bodyHolders ?? ['stranger:' as const])]
    if (!bodyHolders && network) holders.push(`address:${network}`)
    let receivedBytes = 0
    let requiredBytes = FIRST_BYTES
    let countedBytes = 0
    let isOpen = true

    function count(bytes: number): void {
      countedBytes += bytes
      for (const holder of holders) addTo(budget.held, holder, bytes)
    }
    function end(): void {
      isOpen = false
      clearTimeout(timer)
      count(-countedBytes)
    }
    const checkSpeed = (): void => {
      if (raw.complete) return
      if (receivedBytes >= requiredBytes) {
        requiredBytes += BYTES_PER_SECOND
        timer = setTimeout(checkSpeed, 1_000).unref()
        return
      }
      // Ends the request as Node does after `requestTimeout`.
      const code = 'ERR_HTTP_REQUEST_TIMEOUT'
      server.server.emit('clientError', Object.assign(new Error('slow'), { code }), raw.socket)
    }
    let timer = setTimeout(checkSpeed, firstKilobyteMs).unref()
    reply.raw.once('close', end)
    raw.on('error', () => undefined) // An error before the body is read would end the process otherwise.
    raw.response = reply.raw
    raw.free = (bytes) => count(-Math.min(bytes, countedBytes))
    raw.add = (bytes) => {
      receivedBytes += bytes
      if (!isOpen) return false
      const neededBytes = bytes + CHUNK_OVERHEAD_BYTES
      const hasRoom = holders.every((holder) => {
        const share = SHARES[holder.split(':', 1)[0] as keyof typeof SHARES]
        return (budget.held.get(holder) ?? 0) + neededBytes <= share * budget.bytes
      })
      if (hasRoom) {
        count(neededBytes)
        return true
      }
      end()
      reply.header('retry-after', 5)
      raw.emit('error', new OverloadedError('Too much is sent at once. Try again in 5 seconds.'))
      return false
    }
    // A body that is refused at once ends this hook with its error.
    raw.once('error', done)
    if (raw.add(raw.readableLength)) {
      raw.off('error', done)
      done()
    }
  })
}
