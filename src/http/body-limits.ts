import type { FastifyInstance } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getHeapStatistics } from 'node:v8'
import { clientNetwork } from './address-limit.ts'
import { OverloadedError } from './overloaded-error.ts'

const MIB = 1024 * 1024

export interface BodyBudget {
  bytes: number
  held: Map<BodyHolder, number>
}

/**
 * The memory for the bodies of all requests in flight is a quarter of the heap. Node limits its heap to half of the
 * memory of a container, so the budget is an eighth of that memory. The largest form fits into an owner's share of the
 * smallest budget.
 */
export const BODY_BUDGET: BodyBudget = {
  bytes: Math.min(64 * MIB, Math.max(16 * MIB, getHeapStatistics().heap_size_limit / 4)),
  held: new Map(),
}

// The share of the budget that the bodies of all, Slack, all strangers, an address, an owner or a session can take.
const SHARES = {
  all: 1,
  slack: 1 / 4,
  stranger: 1 / 4,
  address: 1 / 8,
  owner: 1 / 4,
  session: 1 / 8,
}

type BodyHolder = `${keyof typeof SHARES}:${string}`

/** The memory for a chunk of a body, besides its bytes. A body might come in chunks of one byte. */
const CHUNK_OVERHEAD_BYTES = 256

/** After its first kilobyte, a body must arrive at this rate on average. */
const FIRST_BYTES = 1_024
const BYTES_PER_SECOND = 2_000
const RETRY_AFTER_S = 5

declare module 'fastify' {
  interface FastifyRequest {
    bodyHolders: readonly BodyHolder[] | undefined
  }
}

/** A request whose body is counted. `add` returns false if there is no room. */
export type CountedMessage = IncomingMessage &
  Partial<{ add(bytes: number): boolean; free(bytes: number): void; response: ServerResponse }>

export function messageClass(Message: typeof IncomingMessage): typeof IncomingMessage {
  return class extends Message {
    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      const isRefused = chunk !== null && (this as CountedMessage).add?.(chunk.length) === false
      return isRefused || super.push(chunk, encoding)
    }
  }
}

/**
 * Limits the memory for the bodies of requests. A body is counted until the response is sent, and refused if it is too
 * slow or if no room is left in the budget. A hook that knows who sent the request sets `bodyHolders` before
 * `preParsing`. Without it, the body is a stranger's.
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
    let counted = 0
    let isOpen = true

    function count(bytes: number): void {
      counted += bytes
      for (const holder of holders) {
        const sum = (budget.held.get(holder) ?? 0) + bytes
        if (sum > 0) budget.held.set(holder, sum)
        else budget.held.delete(holder)
      }
    }
    const hasRoom = (holder: BodyHolder, bytes: number): boolean => {
      const share = SHARES[holder.split(':', 1)[0] as keyof typeof SHARES]
      return (budget.held.get(holder) ?? 0) + bytes <= share * budget.bytes
    }
    function end(): void {
      isOpen = false
      clearTimeout(timer)
      count(-counted)
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
    raw.on('error', () => undefined) // Until the body is read.
    raw.response = reply.raw
    raw.free = (bytes) => count(-Math.min(bytes, counted))
    raw.add = (bytes) => {
      receivedBytes += bytes
      const more = bytes + CHUNK_OVERHEAD_BYTES
      if (isOpen && holders.every((holder) => hasRoom(holder, more))) count(more)
      else if (isOpen) {
        end()
        reply.header('retry-after', RETRY_AFTER_S)
        raw.emit('error', new OverloadedError('Too much is sent at once. Try again in 5 seconds.'))
      }
      return isOpen
    }
    raw.once('error', done)
    if (raw.add(raw.readableLength)) {
      raw.off('error', done)
      done()
    }
  })
}
