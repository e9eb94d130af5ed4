import pg from 'pg'
import { DatabaseUnavailableError } from './errors.ts'

const READ_ONLY = '25006'

// Why the database is unavailable, by PostgreSQL's error code or the first two or three characters of it.
const UNAVAILABLE: Record<string, string> = {
  '08': 'the connection to it failed',
  [READ_ONLY]: 'it is read-only',
  '25P03': 'a transaction took too long',
  '53': 'it lacks resources',
  '53100': 'its disk is full',
  '53300': 'it has no connection left',
  '55P03': 'it is locked',
  '57014': 'a statement took too long',
  '57P': 'it is starting or stopping',
  '58': 'its system reports an error',
}

// Codes of errors after which the server closes the connection.
const CLOSING = /^(?:08|57P)/

// The messages of pg's own errors after which a connection is unusable. After NOT_SENT, no statement was sent.
const LOST = /^(?:Connection terminated|Query read timeout)/
const NOT_SENT = /^Client (?:was closed|has encountered a connection error)/

/**
 * Turns an error of pg into a DatabaseUnavailableError if the database can't be reached or refuses work. If `isBroken`,
 * the connection can't be used anymore.
 * @param isCommit whether the failed statement was a commit, or a write outside of a transaction
 */
export function toPostgresFailure(cause: unknown, isCommit: boolean) {
  if (cause instanceof pg.DatabaseError) {
    const { code = '' } = cause
    const reason =
      UNAVAILABLE[code] ?? UNAVAILABLE[code.slice(0, 3)] ?? UNAVAILABLE[code.slice(0, 2)]
    const isClosing = CLOSING.test(code)
    // After a failover, a new connection might lead to the server that accepts writes.
    const isBroken = isClosing || code === READ_ONLY
    if (reason === undefined) return { error: cause, isBroken }
    const mayHaveCommitted = isCommit && isClosing
    return { error: new DatabaseUnavailableError(reason, { cause, mayHaveCommitted }), isBroken }
  }
  const message = cause instanceof Error ? cause.message : ''
  const wasSent = !NOT_SENT.test(message)
  const isSystemError = cause instanceof Error && 'syscall' in cause
  if (wasSent && !LOST.test(message) && !isSystemError) return { error: cause, isBroken: false }
  const options = { cause, mayHaveCommitted: isCommit && wasSent }
  const error = new DatabaseUnavailableError('the connection to it was lost', options)
  return { error, isBroken: true }
}

export function toConnectError(cause: unknown): DatabaseUnavailableError {
  // If a hostname has several addresses, Node reports an AggregateError, which has no message of its own.
  const error: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  const { message } = error as Error
  // pg has several messages for its time limits. None of its messages contains the password.
  const reason = /time-?out/i.test(message) ? 'it didn’t answer in time' : message
  return new DatabaseUnavailableError(reason, { cause })
}

// Codes for a wrong password, an unknown database or a missing permission, which waiting doesn't change.
const REFUSED = /^(?:28|3D|42)/

export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailableError)) return false
  const { cause } = error
  return !(cause instanceof pg.DatabaseError && REFUSED.test(cause.code ?? ''))
}
