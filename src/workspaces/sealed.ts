import { sql, type Kysely } from 'kysely'
import type { z } from 'zod'
import type { Schema } from '../database/schema.ts'
import { HEADER_BYTES, KeyringError, type Keyring } from './keyring.ts'

export interface StoredSecrets<T> {
  readable: { workspaceId: string; content: T }[]
  unreadable: number
}

/**
 * Defines how a table's column `sealed`, an encrypted JSON value for each workspace, is read and written.
 * @param options.purpose is authenticated, so that a value that was encrypted for one purpose can't be used for another
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
) {
  const context = (workspaceId: string): string => `${purpose} of ${workspaceId}`
  const readRows = (db: Kysely<Schema>) =>
    db
      .selectFrom(table)
      .select(['workspace_id as id', 'sealed'])
      .orderBy(db.dynamic.ref(storedAt), 'desc')
      .execute()

  async function replaceBytes(
    db: Kysely<Schema>,
    workspaceId: string,
    before: Uint8Array,
    after: Uint8Array,
  ): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable(table)
      .set({ sealed: after })
      .where((is) => is.and({ workspace_id: workspaceId, sealed: before }))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  return (keyring: Keyring) => {
    const seal = (workspaceId: string, content: T): Buffer =>
      keyring.seal(Buffer.from(JSON.stringify(schema.parse(content))), context(workspaceId))

    const open = (workspaceId: string, bytes: Uint8Array): T =>
      schema.parse(JSON.parse(keyring.open(bytes, context(workspaceId)).toString('utf8')))

    return {
      seal,
      /** @throws KeyringError if it can't be decrypted, for example because it was sealed for another workspace */
      open,

      /** @returns false, and stores nothing, if the bytes are no longer `before` (optimistic locking) */
      replace: (
        db: Kysely<Schema>,
        workspaceId: string,
        before: Uint8Array,
        content: T,
      ): Promise<boolean> => replaceBytes(db, workspaceId, before, seal(workspaceId, content)),

      async count(db: Kysely<Schema>): Promise<{ stored: number; unreadable: number }> {
        const header = sql<Uint8Array>`substr(sealed, 1, ${sql.lit(HEADER_BYTES)})`
        const rows = await db
          .selectFrom(table)
          .select([header.as('header'), db.fn.countAll().as('count')])
          .groupBy(header)
          .execute()
        const total = (counted: typeof rows): number =>
          counted.reduce((sum, { count }) => sum + Number(count), 0)
        const unknown = rows.filter((row) => !keyring.hasKeyFor(row.header))
        return { stored: total(rows), unreadable: total(unknown) }
      },

      async readAll(db: Kysely<Schema>): Promise<StoredSecrets<T>> {
        const rows = await readRows(db)
        const readable = rows.flatMap(({ id, sealed: bytes }) => {
          const opened = unlessUnreadable(() => ({ content: open(id, bytes) }))
          return opened ? [{ workspaceId: id, ...opened }] : []
        })
        return { readable, unreadable: rows.length - readable.length }
      },

      /** Encrypts all values with the newest key. Afterwards, older keys can be removed from the configuration. */
      async reseal(db: Kysely<Schema>): Promise<{ resealed: number; unreadable: number }> {
        const rows = await readRows(db)
        const outdated = rows.filter((row) => keyring.isOutdated(row.sealed))
        let resealed = 0
        for (const { id, sealed: bytes } of outdated) {
          const plaintext = unlessUnreadable(() => keyring.open(bytes, context(id)))
          if (!plaintext) continue
          await replaceBytes(db, id, bytes, keyring.seal(plaintext, context(id)))
          resealed++
        }
        return { resealed, unreadable: outdated.length - resealed }
      },
    }
  }
}

export function unlessUnreadable<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof KeyringError) return undefined
    throw error
  }
}
