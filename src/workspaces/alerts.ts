import { z } from 'zod'
import { writeIfInstalled, type StoreOptions } from './write-if-installed.ts'

/** What an alert can be about, and what must happen to the links. */
const about = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('link'), name: z.string(), shortUrl: z.string() }),
  z.object({ kind: z.literal('tag'), name: z.string() }),
  z.object({ kind: z.literal('campaign'), name: z.string() }),
  z.object({ kind: z.literal('all') }),
])

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
  about,
  condition: z.enum(ALERT_CONDITIONS),
  /** How many clicks, days or times; absent if the condition has no number. */
  number: z.number().optional(),
  /** The ID of the Slack channel; absent: the creator gets direct messages. */
  channel: z.string().optional(),
})

/** What a person wants messages about. */
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
  /** The link that it happened to; absent if it is about all links of the alert together. */
  link: z
    .object({ name: z.string(), shortUrl: z.string(), title: z.string().optional() })
    .optional(),
  clicks: z.number().optional(),
  /** When the link expires. */
  at: z.number().optional(),
})

/** Something that an alert tells. */
export type AlertEvent = z.infer<typeof event>

const memory = z.object({
  /** Identifies the API key with which the links were read. */
  key: z.string().optional(),
  /** All clicks as last read on each day, oldest first, for services that don't count by day. */
  totals: z.array(z.tuple([z.string(), z.number()])).default([]),
  /** What was told already: a day, or a link and a time. */
  told: z.array(z.string()).default([]),
  /** The links that were seen, the newest last: name, short URL, a hash of the destination, and whether it is on. */
  seen: z.array(z.tuple([z.string(), z.string(), z.string(), z.boolean()])).optional(),
  /** The newest change of any link that was seen, and how many links there were. */
  newest: z.number().default(0),
  total: z.number().optional(),
  pending: z.array(event).default([]),
  /** When the last messages were sent, oldest first. */
  sent: z.array(z.number()).default([]),
})

/** What the app has seen and sent for an alert. Times are in milliseconds since 1970. */
export type AlertMemory = z.infer<typeof memory>

export const NEW_MEMORY: AlertMemory = memory.parse({})

export interface StoredAlert {
  id: string
  workspaceId: string
  createdBy: string
  alert: Alert
  memory: AlertMemory
  /** The memory as it is stored. */
  stored: string
}

export const ALERT_LIMITS = { workspace: 50, person: 10 } as const

/** The alerts of all workspaces, which all processes of the app share. */
export type AlertStore = ReturnType<typeof createAlertStore>

export function createAlertStore({ now = Date.now, ...options }: StoreOptions) {
  const { db } = options.database
  const columns = ['id', 'workspace_id', 'created_by', 'alert', 'memory'] as const
  type Row = Record<(typeof columns)[number], string>

  const toAlert = (row: Row): StoredAlert => ({
    id: row.id,
    workspaceId: row.workspace_id,
    createdBy: row.created_by,
    alert: alert.parse(JSON.parse(row.alert)),
    memory: memory.parse(JSON.parse(row.memory)),
    stored: row.memory,
  })

  return {
    /** The alerts of a workspace, the oldest first. */
    async list(workspaceId: string): Promise<StoredAlert[]> {
      const rows = await db
        .selectFrom('alerts')
        .select(columns)
        .where('workspace_id', '=', workspaceId)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map(toAlert)
    },

    /**
     * Adds an alert. If the ID exists, replaces that alert and clears its memory.
     *
     * @throws if the app is not installed anymore
     */
    async save({
      id,
      workspaceId,
      createdBy,
      alert: given,
    }: Omit<StoredAlert, 'memory' | 'stored'>) {
      const row = { alert: JSON.stringify(given), memory: '{}', check_at: now() }
      const written = await writeIfInstalled(
        options,
        workspaceId,
        db
          .insertInto('alerts')
          .values({
            id,
            workspace_id: workspaceId,
            created_by: createdBy,
            created_at: now(),
            ...row,
          })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet(row).where('alerts.workspace_id', '=', workspaceId),
          ),
      )
      if (!written) throw new Error('the app is not installed in this workspace anymore')
    },

    /** Ends an alert. @returns false if it had ended */
    async end(workspaceId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('alerts')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    /** The workspaces with alerts that are to be checked. */
    async due(limit: number): Promise<string[]> {
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

    /** Takes the alerts of a workspace that are to be checked, which no other process then checks until `next`. */
    async take(workspaceId: string, next: number): Promise<StoredAlert[]> {
      const rows = await db
        .updateTable('alerts')
        .set({ check_at: next })
        .where('workspace_id', '=', workspaceId)
        .where('check_at', '<=', now())
        .returning([...columns])
        .execute()
      return rows.map(toAlert)
    },

    /** Checks no alert of a workspace before a time. */
    async postpone(workspaceId: string, until: number): Promise<void> {
      await db
        .updateTable('alerts')
        .set({ check_at: until })
        .where('workspace_id', '=', workspaceId)
        .where('check_at', '<', until)
        .execute()
    },

    /**
     * Stores what an alert remembers.
     *
     * @returns undefined if the alert was ended or changed meanwhile, or another process has stored more
     */
    async remember(seen: StoredAlert, changed: AlertMemory): Promise<StoredAlert | undefined> {
      const stored = JSON.stringify(changed)
      if (stored === seen.stored) return seen
      const { numUpdatedRows } = await db
        .updateTable('alerts')
        .set({ memory: stored })
        .where('id', '=', seen.id)
        .where('memory', '=', seen.stored)
        .where('alert', '=', JSON.stringify(seen.alert))
        .executeTakeFirst()
      return numUpdatedRows > 0n ? { ...seen, memory: changed, stored } : undefined
    },
  }
}
