import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../database/schema.ts'
import { HEADER_BYTES, KeyringError, type Keyring } from './keyring.ts'

export interface StoredSecrets<T> {
  readable: { workspaceId: string; content: T }[]
  unreadable: number
}

interface SecretsColumn<T> {
  schema: z.ZodType<T>
  table: 'workspace_connections' | 'installations'
  /** Is authenticated, so that a value that was encrypted for one purpose can't be used for another. */
  purpose: string
  storedAt: 'connected_at' | 'installed_at'
}

export function createSecrets<T>(
  db: Db,
  keyring: Keyring,
  { schema, table, purpose, storedAt }: SecretsColumn<T>,
) {
  const context = (workspaceId: string): string => `${purpose} of ${workspaceId}`

  const seal = (workspaceId: string, content: T): Buffer =>
    keyring.seal(Buffer.from(JSON.stringify(schema.parse(content))), context(workspaceId))

  const open = (workspaceId: string, bytes: Uint8Array): T =>
    schema.parse(JSON.parse(keyring.open(bytes, context(workspaceId)).toString('utf8')))

  const readRows = () =>
    db
      .selectFrom(table)
      .select(['workspace_id as id', 'sealed'])
      .orderBy(db.dynamic.ref(storedAt), 'desc')
      .execute()

  async function replaceBytes(workspaceId: string, before: Uint8Array, after: Uint8Array) {
    const { numUpdatedRows } = await db
      .updateTable(table)
      .set({ sealed: after })
      .where((is) => is.and({ workspace_id: workspaceId, sealed: before }))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  return {
    seal,
    async find(workspaceId: string): Promise<{ sealed: Uint8Array; content: T } | undefined> {
      const row = await db
        .selectFrom(table)
        .select('sealed')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst()
      return row && { sealed: row.sealed, content: open(workspaceId, row.sealed) }
    },
    /** @throws KeyringError if it can't be decrypted, for example because it was sealed for another workspace */
    open,

    /** @returns false, and stores nothing, if the bytes are no longer `before` (optimistic locking) */
    replace: (workspaceId: string, before: Uint8Array, content: T): Promise<boolean> =>
      replaceBytes(workspaceId, before, seal(workspaceId, content)),

    async count(): Promise<{ stored: number; unreadable: number }> {
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

    async readAll(): Promise<StoredSecrets<T>> {
      const rows = await readRows()
      const opened = rows.map(({ id, sealed }) =>
        unlessUnreadable(() => ({ workspaceId: id, content: open(id, sealed) })),
      )
      const readable = (await Promise.all(opened)).filter((each) => each !== undefined)
      return { readable, unreadable: rows.length - readable.length }
    },

    /** Afterwards, older keys can be removed from the configuration. */
    async reseal(): Promise<{ resealed: number; unreadable: number }> {
      const outdated = (await readRows()).filter(({ sealed }) => keyring.isOutdated(sealed))
      let resealed = 0
      for (const { id, sealed } of outdated) {
        const plaintext = await unlessUnreadable(() => keyring.open(sealed, context(id)))
        if (!plaintext) continue
        await replaceBytes(id, sealed, keyring.seal(plaintext, context(id)))
        resealed++
      }
      return { resealed, unreadable: outdated.length - resealed }
    },
  }
}

export async function unlessUnreadable<T>(open: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof KeyringError) return undefined
    throw error
  }
}
