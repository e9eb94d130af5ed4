import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Schema } from '../database/schema.ts'
import { KeyringError, type Keyring } from './keyring.ts'

/** All secrets that a table holds, the newest first. */
export interface StoredSecrets<T> {
  readable: { workspaceId: string; content: T }[]
  /** How many rows no key can open. */
  unreadable: number
}

/** The outcome of a reseal, in rows. */
export interface Resealed {
  resealed: number
  /** Rows that no configured key can open. */
  unreadable: number
}

/** A table's column `sealed`: an encrypted value for each workspace. */
export interface SealedColumn<T> {
  seal(workspaceId: string, content: T): Buffer
  /** @throws KeyringError if it can't be decrypted, for example because it was sealed for another workspace */
  open(workspaceId: string, sealed: Uint8Array): T
  /** Unlike the stores, it counts the rows that can't be decrypted. */
  readAll(db: Kysely<Schema>): Promise<StoredSecrets<T>>
  /**
   * Encrypts with the newest key what older keys sealed. Runs at every start. Afterwards, older keys may be removed
   * from the configuration.
   */
  reseal(db: Kysely<Schema>): Promise<Resealed>
}

/**
 * Describes a column of secrets.
 *
 * @param options.purpose part of what is authenticated: a value of one purpose can't be opened for another
 * @param options.storedAt the column with the time at which a row was stored
 */
export function sealed<T>(
  schema: z.ZodType<T>,
  {
    table,
    purpose,
    storedAt,
  }: {
    table: 'workspace_connections' | 'installations'
    purpose: string
    storedAt: 'connected_at' | 'installed_at'
  },
): (keyring: Keyring) => SealedColumn<T> {
  const context = (workspaceId: string): string => `${purpose} of ${workspaceId}`
  const readRows = (db: Kysely<Schema>) =>
    db
      .selectFrom(table)
      .select(['workspace_id as id', 'sealed'])
      .orderBy(db.dynamic.ref(storedAt), 'desc')
      .execute()

  return (keyring) => {
    const column: SealedColumn<T> = {
      seal: (workspaceId, content) =>
        keyring.seal(Buffer.from(JSON.stringify(content)), context(workspaceId)),

      open: (workspaceId, bytes) =>
        schema.parse(JSON.parse(keyring.open(bytes, context(workspaceId)).toString('utf8'))),

      async readAll(db) {
        const rows = await readRows(db)
        const readable = rows.flatMap(({ id, sealed: bytes }) => {
          const opened = unlessUnreadable(() => ({ content: column.open(id, bytes) }))
          return opened ? [{ workspaceId: id, ...opened }] : []
        })
        return { readable, unreadable: rows.length - readable.length }
      },

      async reseal(db) {
        const rows = await readRows(db)
        const outdated = rows.filter((row) => keyring.isOutdated(row.sealed))
        let resealed = 0
        for (const { id, sealed: bytes } of outdated) {
          const plaintext = unlessUnreadable(() => keyring.open(bytes, context(id)))
          if (!plaintext) continue
          // Does not overwrite a row that was stored in the meantime.
          await db
            .updateTable(table)
            .set({ sealed: keyring.seal(plaintext, context(id)) })
            .where('workspace_id', '=', id)
            .where('sealed', '=', bytes)
            .execute()
          resealed++
        }
        return { resealed, unreadable: outdated.length - resealed }
      },
    }
    return column
  }
}

/** @returns undefined if no key can open it */
export function unlessUnreadable<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof KeyringError) return undefined
    throw error
  }
}
