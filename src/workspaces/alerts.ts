import { z } from 'zod'
import type { Schema } from '../database/schema.ts'
import { NotInstalledError } from './installations.ts'
import { writeIfInstalled, type StoreOptions } from './write-if-installed.ts'

export const ALERT_CONDITIONS = [
  'reaches',
  'in_a_day',
  'times_average',
  'no_clicks',
  'changes',
  'expires',
  'dead',
] as const

const alert = z.object({
  about: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('link'), name: z.string(), shortUrl: z.string() }),
    z.object({ kind: z.literal('tag'), name: z.string() }),
    z.object({ kind: z.literal('campaign'), name: z.string() }),
    z.object({ kind: z.literal('all') }),
  ]),
  condition: z.enum(ALERT_CONDITIONS),
  number: z.number().optional(),
  channel: z.string().optional(),
})

/**
 * An alert sends a message when its condition is met for the links in `about`: for example, when the links with the tag
 * “spring” get more than 50 clicks in a day. The 50 is its `number`.
 */
export type Alert = z.infer<typeof alert>
export type AlertSubject = Alert['about']
export type AlertCondition = Alert['condition']

const event = z.object({
  what: z.enum([
    'reached',
    'busy',
    'above_average',
    'silent',
    'created',
    'moved',
    'off',
    'changed',
    'deleted',
    'expires',
    'dead',
  ]),
  link: z
    .object({ name: z.string(), shortUrl: z.string(), title: z.string().optional() })
    .optional(),
  clicks: z.number().optional(),
  at: z.number().optional(),
})

export type AlertEvent = z.infer<typeof event>

const memory = z.object({
  key: z.string().optional(), // A hash of the API key with which the links were read.
  /** The total of clicks as last read on each day, oldest first, for services that don't count by day. */
  totals: z.array(z.tuple([z.string(), z.number()])).default([]),
  told: z.array(z.string()).default([]), // The keys of reported events, such as `reached` or a day.
  /** The links that were read, the latest last: name, short URL, a hash of the destination, and whether it is on. */
  seen: z.array(z.tuple([z.string(), z.string(), z.string(), z.boolean()])).optional(),
  newest: z.number().default(0), // When the most recently changed link was changed.
  total: z.number().optional(), // How many links the service had.
  pending: z.array(event).default([]), // Events that wait for the next message.
  sent: z.array(z.number()).default([]), // When the last messages were sent.
})

/** What an alert has seen and reported, so that the next check reports only what is new. Times are in ms since 1970. */
export type AlertMemory = z.infer<typeof memory>

export const NEW_MEMORY: AlertMemory = memory.parse({})

export interface StoredAlert {
  id: string
  workspaceId: string
  createdBy: string
  alert: Alert
  memory: AlertMemory
  /** The memory as JSON, as it was read. `remember` compares it with the database. */
  stored: string
}

export const ALERT_LIMITS = { perWorkspace: 50, perPerson: 10 } as const

export interface AlertStore {
  list(workspaceId: string): Promise<StoredAlert[]>
  /** Adds an alert, or replaces the alert with this ID and clears its memory. @throws NotInstalledError */
  save(added: Omit<StoredAlert, 'memory' | 'stored'>): Promise<void>
  end(workspaceId: string, id: string): Promise<boolean>
  due(limit: number): Promise<string[]> // The IDs of workspaces.
  /** Postpones the returned alerts until `next`, so that no other process checks them now. */
  claimDue(workspaceId: string, next: number): Promise<StoredAlert[]>
  postpone(workspaceId: string, until: number): Promise<void>
  /** @returns false, and stores nothing, if the alert was changed meanwhile (optimistic locking) */
  remember(seen: StoredAlert, changed: AlertMemory): Promise<boolean>
}

export function createAlertStore({ now = Date.now, ...options }: StoreOptions): AlertStore {
  const { db } = options.database

  const toAlert = (row: Schema['alerts']): StoredAlert => ({
    id: row.id,
    workspaceId: row.workspace_id,
    createdBy: row.created_by,
    alert: alert.parse(JSON.parse(row.alert)),
    memory: memory.parse(JSON.parse(row.memory)),
    stored: row.memory,
  })

  return {
    async list(workspaceId) {
      const rows = await db
        .selectFrom('alerts')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map(toAlert)
    },

    async save({ id, workspaceId, createdBy, alert: saved }) {
      const row = { alert: JSON.stringify(saved), memory: '{}', check_at: now() }
      const newRow = { id, workspace_id: workspaceId, created_by: createdBy, created_at: now() }
      const statement = db
        .insertInto('alerts')
        .values({ ...newRow, ...row })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet(row).where('alerts.workspace_id', '=', workspaceId),
        )
      if (!(await writeIfInstalled(options, workspaceId, statement))) throw new NotInstalledError()
    },

    async end(workspaceId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('alerts')
        .where((is) => is.and({ workspace_id: workspaceId, id }))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async due(limit) {
      const rows = await db
        .selectFrom('alerts')
        .select('workspace_id')
        .where('check_at', '<=', now())
        .groupBy('workspace_id')
        .orderBy((is) => is.fn.min('check_at'))
        .limit(limit)
        .execute()
      return rows.map((row) => row.workspace_id)
    },

    async claimDue(workspaceId, next) {
      const rows = await db
        .updateTable('alerts')
        .set({ check_at: next })
        .where('workspace_id', '=', workspaceId)
        .where('check_at', '<=', now())
        .returningAll()
        .execute()
      return rows.map(toAlert)
    },

    async postpone(workspaceId, until) {
      await db
        .updateTable('alerts')
        .set({ check_at: until })
        .where('workspace_id', '=', workspaceId)
        .where('check_at', '<', until)
        .execute()
    },

    async remember(seen, changed) {
      const stored = JSON.stringify(changed)
      if (stored === seen.stored) return true
      const { numUpdatedRows } = await db
        .updateTable('alerts')
        .set({ memory: stored })
        .where((is) =>
          is.and({ id: seen.id, memory: seen.stored, alert: JSON.stringify(seen.alert) }),
        )
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
