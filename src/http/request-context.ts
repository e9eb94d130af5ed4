import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

// The request that the running code works for, also in the background. Its ID is in logs and link service calls.
const requests = new AsyncLocalStorage<{
  id: string
  memories?: Map<object, Map<string, unknown>>
}>()

export function currentRequestId(): string | undefined {
  return requests.getStore()?.id
}

/** 32 hex digits, as `traceparent` needs. */
export function createRequestId(): string {
  return randomUUID().replaceAll('-', '')
}

export function inRequest<T>(work: () => T, id = createRequestId()): T {
  return requests.run({ id }, work)
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
