import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes, randomUUID } from 'node:crypto'

interface RequestContext {
  readonly id: string
  memories: Map<object, Map<string, unknown>> | undefined
}

// The request that the running code works for, also in the background. Its ID is in logs and link service calls.
const requests = new AsyncLocalStorage<RequestContext>()

export function currentRequestId(): string | undefined {
  return requests.getStore()?.id
}

export function inRequest<T>(work: () => T, id = randomUUID().replaceAll('-', '')): T {
  return requests.run({ id, memories: undefined }, work)
}

/** Runs work that a request starts but that belongs to no request, such as starting a timer that requests share. */
export function outsideRequests<T>(work: () => T): T {
  return requests.exit(work)
}

/** Remembers values that a request has read, such as a user, until the request ends. Has no effect outside requests. */
export function createRequestMemory<T>() {
  const memory = {
    get: (key: string): T | undefined =>
      requests.getStore()?.memories?.get(memory)?.get(key) as T | undefined,
    set(key: string, value: T): void {
      const request = requests.getStore()
      if (!request) return
      request.memories ??= new Map()
      const values = request.memories.get(memory) ?? new Map<string, unknown>()
      request.memories.set(memory, values.set(key, value))
    },
  }
  return memory
}

/** Creates request IDs such as `5f0c2a9be41d7733-12`. They are unique, but easy to guess. */
export function createRequestIds(): () => string {
  const prefix = randomBytes(8).toString('hex')
  let last = 0
  return () => `${prefix}-${++last}`
}
