import { randomBytes } from 'node:crypto'

/**
 * Makes IDs for requests, with which their log lines can be found: a prefix that no other process has, and a counter.
 * They are unique, but easy to guess.
 */
export function createRequestIds(): () => string {
  const prefix = randomBytes(8).toString('hex')
  let last = 0
  return () => `${prefix}-${++last}`
}
