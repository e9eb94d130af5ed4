import { sql, type UpdateObject } from 'kysely'
import { z } from 'zod'
import type { Schema } from '../database/schema.ts'
import { defineWrite } from '../database/write.ts'
import {
  insertImportRows,
  noteOutcomes,
  readImportRows,
  type ImportRow,
  type Lease,
  type NotedOutcomes,
} from './import-rows.ts'
import { NotInstalledError } from './installations.ts'
import { lockedBy, lockInstallation, type StoreOptions } from './write-if-installed.ts'

const message = z.object({
  channel: z.string(),
  threadTs: z.string().optional(),
  ts: z.string().optional(),
})

type ImportMessage = z.infer<typeof message>

/** The process that works on an import renews its lease. If the lease runs out, another process continues the import. */
export interface StoredImport {
  id: string
  workspaceId: string
  createdBy: string
  createdAt: number
  fileName: string
  message: ImportMessage
  isStopped: boolean
  /** When the lease ends. It also identifies the lease, because another process has another time. */
  heldUntil: number
}

/** Thrown if an import has ended, or if its lease has run out and another process has claimed it. */
export class ImportLostError extends Error {}

export const IMPORT_LIMITS = {
  perPerson: 1,
  perWorkspace: 5,
  rows: 1_000,
  bytes: 1_000_000,
} as const

const LEASE_MS = 2 * 60_000

type NewImport = Pick<StoredImport, 'id' | 'workspaceId' | 'createdBy' | 'fileName' | 'message'>

export const addImport = defineWrite(async function addImport(
  transaction,
  lockedWorkspace: string | undefined,
  added: NewImport,
  rows: readonly ImportRow[],
  now: number,
): Promise<'added' | 'full' | 'not_installed'> {
  if (!(await lockInstallation(transaction, lockedWorkspace))) return 'not_installed'
  const { id, workspaceId, createdBy } = added
  const running = await transaction
    .selectFrom('imports')
    .select(['id', 'created_by'])
    .where('workspace_id', '=', workspaceId)
    .execute()
  if (running.some((row) => row.id === id)) return 'added'
  const byCreator = running.filter((row) => row.created_by === createdBy)
  if (byCreator.length >= IMPORT_LIMITS.perPerson || running.length >= IMPORT_LIMITS.perWorkspace)
    return 'full'
  await transaction
    .insertInto('imports')
    .values({
      id,
      workspace_id: workspaceId,
      created_by: createdBy,
      created_at: now,
      run_at: now,
      file_name: added.fileName,
      message: JSON.stringify(added.message),
      state: 'running',
    })
    .execute()
  await insertImportRows(transaction, added, rows)
  return 'added'
})

/** @returns false, and deletes nothing, if the lease is lost */
export const endImport = defineWrite(async function endImport(
  transaction,
  { id, heldUntil }: Lease,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('imports')
    .where((is) => is.and({ id, run_at: heldUntil }))
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await transaction.deleteFrom('import_rows').where('import_id', '=', id).execute()
  return true
})

type State = Schema['imports']['state']

const stateIf = (from: State, to: State) =>
  sql<State>`case when state = ${sql.lit(from)} then ${sql.lit(to)} else state end`

export interface Imports {
  /** Stores an import, unless the person or the workspace has too many. Adding the same ID again changes nothing. */
  add(added: NewImport, rows: readonly ImportRow[]): Promise<'added' | 'full'>
  due(limit: number): Promise<string[]>
  /** Takes a lease. @returns undefined if another process holds one, or if the import has ended */
  claim(id: string): Promise<StoredImport | undefined>
  /** Updates `isStopped`, too. @throws ImportLostError */
  renewLease(held: StoredImport): Promise<void>
  /** @param at when a process can claim the import again. @throws ImportLostError */
  unclaim(held: StoredImport, at: number): Promise<void>
  /** @throws ImportLostError */
  setMessage(held: StoredImport, sent: ImportMessage): Promise<void>
  createdBy(workspaceId: string, id: string): Promise<string | undefined>
  stop(workspaceId: string, id: string): Promise<void>
  rows(id: string): Promise<ImportRow[]>
  /** A row whose outcome is undefined is tried again. @throws ImportLostError */
  note(held: StoredImport, outcomes: NotedOutcomes): Promise<void>
  /** @throws ImportLostError */
  end(held: StoredImport): Promise<void>
}

export function createImports({ now = Date.now, ...options }: StoreOptions): Imports {
  const { db, write } = options.database

  /** @throws ImportLostError, and changes nothing, if the lease is lost */
  function change({ id, heldUntil }: Lease, values: UpdateObject<Schema, 'imports'>) {
    return db
      .updateTable('imports')
      .set(values)
      .where((is) => is.and({ id, run_at: heldUntil }))
      .returning('state')
      .executeTakeFirstOrThrow(() => new ImportLostError())
  }

  return {
    async add(added, rows) {
      const locked = lockedBy(options, added.workspaceId)
      const result = await write(addImport(locked, added, rows, now()))
      if (result === 'not_installed') throw new NotInstalledError()
      return result
    },

    async due(limit) {
      const rows = await db
        .selectFrom('imports')
        .select('id')
        .where('run_at', '<=', now())
        .orderBy('run_at')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    async claim(id) {
      const heldUntil = now() + LEASE_MS
      const row = await db
        .updateTable('imports')
        .set({ run_at: heldUntil, state: stateIf('waiting', 'running') })
        .where('id', '=', id)
        .where('run_at', '<=', now())
        .returningAll()
        .executeTakeFirst()
      return (
        row && {
          id,
          workspaceId: row.workspace_id,
          createdBy: row.created_by,
          createdAt: row.created_at,
          heldUntil,
          fileName: row.file_name,
          message: message.parse(JSON.parse(row.message)),
          isStopped: row.state === 'stopped',
        }
      )
    },

    async renewLease(held) {
      const heldUntil = Math.max(now() + LEASE_MS, held.heldUntil + 1)
      const { state } = await change(held, { run_at: heldUntil })
      Object.assign(held, { heldUntil, isStopped: state === 'stopped' })
    },

    async unclaim(held, at) {
      await change(held, { run_at: at, state: stateIf('running', 'waiting') })
    },

    async setMessage(held, sent) {
      await change(held, { message: JSON.stringify(sent) })
    },

    async createdBy(workspaceId, id) {
      const row = await db
        .selectFrom('imports')
        .select('created_by')
        .where((is) => is.and({ workspace_id: workspaceId, id }))
        .executeTakeFirst()
      return row?.created_by
    },

    async stop(workspaceId, id) {
      await db
        .updateTable('imports')
        .set({
          // No process works on an import that waits, so one can take it at once and end it.
          run_at: sql`case when state = 'waiting' then ${sql.lit(0)} else run_at end`,
          state: 'stopped',
        })
        .where((is) => is.and({ workspace_id: workspaceId, id }))
        .execute()
    },

    rows: (id) => readImportRows(db, id),

    async note({ id, heldUntil }, outcomes) {
      if (!(await write(noteOutcomes({ id, heldUntil }, outcomes)))) throw new ImportLostError()
    },

    async end({ id, heldUntil }) {
      if (!(await write(endImport({ id, heldUntil })))) throw new ImportLostError()
    },
  }
}
