import { DatabaseUnavailableError } from './errors.ts'

/** SQLite's primary result codes, the lower eight bits of an `errcode`. */
export const SQLITE = {
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  NOTADB: 26,
} as const

const DAMAGED = 'its file is damaged. Stop Backhalf and restore a backup'

const UNAVAILABLE: Record<number, string> = {
  [SQLITE.BUSY]: 'another process has locked it',
  [SQLITE.PROTOCOL]: 'another process has locked it',
  [SQLITE.READONLY]: 'it is read-only',
  [SQLITE.IOERR]: 'its disk can’t be read or written',
  [SQLITE.FULL]: 'its disk is full',
  [SQLITE.CANTOPEN]: 'its file can’t be opened',
  [SQLITE.CORRUPT]: DAMAGED,
  [SQLITE.NOTADB]: DAMAGED,
}

export function sqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
}

export function isDamaged(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB
}

/** Thrown in the writer thread if the statement `commit` failed. Its cause is SQLite's error. */
export class CommitError extends Error {}

export function toSqliteError(error: unknown, isCommitting = false): unknown {
  const code = sqliteCode(error)
  const reason = UNAVAILABLE[code]
  if (reason === undefined) return error
  // If the disk failed during a commit, it might hold the data anyway.
  const mayHaveCommitted = isCommitting && code === SQLITE.IOERR
  return new DatabaseUnavailableError(reason, { cause: error, mayHaveCommitted })
}
