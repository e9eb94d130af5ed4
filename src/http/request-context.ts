import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes, randomUUID } from 'node:crypto'

/**
 * The ID of the request that the running code works on. It reaches log lines and calls to the link service without
 * being passed through every function in between, and goes on in background work that the request starts.
 */
const requestIds = new AsyncLocalStorage<string>()

/** Undefined outside of a request, for example during the start. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore()
}

/** Runs work as a request of its own. @param id by default, a new one */
export function inRequest<T>(work: () => T, id = newRequestId()): T {
  return requestIds.run(id, work)
}

/** Runs work that happens to start in a request but does not belong to it, such as a timer that others share. */
export function outsideRequests<T>(work: () => T): T {
  return requestIds.exit(work)
}

/**
 * Makes IDs for HTTP requests that bring none: a prefix that no other process has, and a counter. They are unique, but
 * easy to guess.
 */
export function createRequestIds(): () => string {
  const prefix = randomBytes(8).toString('hex')
  let last = 0
  return () => `${prefix}-${++last}`
}

/** 32 hex digits, which are also a trace ID of W3C Trace Context: a UUID, because Node keeps random bytes ready for them. */
function newRequestId(): string {
  return randomUUID().replaceAll('-', '')
}
