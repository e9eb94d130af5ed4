import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { eachField } from '../contract/field-spec.ts'
import { UTM_PARAMETERS } from '../contract/link-fields.ts'
import { NotInstalledError } from './installations.ts'
import { writeIfInstalled, type StoreOptions } from './write-if-installed.ts'

const utmValues = z.object(eachField(UTM_PARAMETERS, () => z.string().optional()))

type StoredUtmValues = z.infer<typeof utmValues>

const settings = z.object({
  qr: z.object({
    enabled: z.boolean(),
    color: z.string().optional(),
  }),
  templates: z.array(
    z.object({
      name: z.string().min(1),
      values: utmValues,
      tags: z.string().optional(),
    }),
  ),
  naming: z.object({
    lowerCase: z.boolean(),
    /** Replaces spaces. Null means that spaces stay. */
    spaces: z.enum(['-', '_']).nullable(),
    /** The only allowed sources and mediums. Empty: any value is allowed. */
    sources: z.array(z.string()),
    mediums: z.array(z.string()),
  }),
  mayShorten: z.enum(['everyone', 'not_guests']),
  mayChange: z.enum(['maker_and_admins', 'everyone']),
  weeklyReport: z
    .object({
      channel: z.string(),
      /** From 1 (Monday) to 7. */
      day: z.int().min(1).max(7),
      hour: z.int().min(0).max(23),
      /** A name of the IANA database: `Europe/Berlin`. */
      timeZone: z.string(),
      setBy: z.string(),
    })
    .optional(),
  destinations: z
    .object({
      hosts: z.array(z.string()).min(1),
      /** The channel whose members decide on links to other destinations. Absent: such links are refused. */
      approvers: z.string().optional(),
      ownRequests: z.boolean(),
    })
    .optional(),
})

export type Settings = z.infer<typeof settings>
export type UtmTemplate = Settings['templates'][number]
export type NamingRules = Settings['naming']
export type WeeklyReport = NonNullable<Settings['weeklyReport']>
export type AllowedDestinations = NonNullable<Settings['destinations']>

export const DEFAULT_SETTINGS: Settings = {
  qr: { enabled: true },
  templates: [],
  naming: { lowerCase: false, spaces: null, sources: [], mediums: [] },
  mayShorten: 'everyone',
  mayChange: 'maker_and_admins',
}

/** Our own limits. Templates and allowed values are options of menus, whose texts hold 75 characters. */
export const SETTINGS_LIMITS = {
  templates: 50,
  templateName: 75,
  allowedValues: 100,
  allowedValue: 75,
} as const

export interface DueReport {
  workspaceId: string
  at: number
  report: WeeklyReport
}

export interface SettingsStore {
  read(workspaceId: string): Promise<Settings>
  /**
   * Applies `change` to the stored settings (optimistic locking). If another admin changes them at the same time,
   * `change` is called again with the new settings, so that both changes are kept. If it throws, nothing is stored.
   * @throws NotInstalledError
   */
  update(
    workspaceId: string,
    userId: string,
    change: (settings: Settings) => Settings,
  ): Promise<Settings>
  dueReports(limit: number): Promise<DueReport[]>
  /** @returns false if another process has moved the report first (optimistic locking) */
  moveReport(workspaceId: string, from: number, to: number): Promise<boolean>
}

export function createSettingsStore({ now = Date.now, ...options }: StoreOptions): SettingsStore {
  const { db } = options.database

  async function readRow(workspaceId: string): Promise<string | undefined> {
    const row = await db
      .selectFrom('workspace_settings')
      .select('settings')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst()
    return row?.settings
  }

  return {
    read: async (workspaceId) => parse(await readRow(workspaceId)),

    async update(workspaceId, userId, change) {
      for (;;) {
        const stored = await readRow(workspaceId)
        const before = parse(stored)
        const changed = settings.parse(change(before))
        const { weeklyReport: report } = changed
        const row = {
          settings: JSON.stringify(changed),
          updated_by: userId,
          updated_at: now(),
          ...(!isDeepStrictEqual(report, before.weeklyReport) && {
            report_at: report ? nextReportAt(report, now()) : null,
          }),
        }
        const statement = db
          .insertInto('workspace_settings')
          .values({ workspace_id: workspaceId, ...row })
          .onConflict((conflict) =>
            conflict
              .column('workspace_id')
              .doUpdateSet(row)
              .where('workspace_settings.settings', '=', stored ?? ''),
          )
          .returning('workspace_id')
        const written = await writeIfInstalled(options, workspaceId, statement)
        if (!written) throw new NotInstalledError()
        // If another admin has changed the settings meanwhile, no row was written, and the loop starts over.
        if (written.length > 0) return changed
      }
    },

    async dueReports(limit) {
      const rows = await db
        .selectFrom('workspace_settings')
        .select(['workspace_id', 'settings', 'report_at'])
        .where('report_at', '<=', now())
        .orderBy('report_at')
        .limit(limit)
        .execute()
      return rows.flatMap(({ workspace_id: workspaceId, report_at: at, settings }) => {
        const { weeklyReport: report } = parse(settings)
        return report && at !== null ? [{ workspaceId, at, report }] : []
      })
    },

    async moveReport(workspaceId, from, to) {
      const { numUpdatedRows } = await db
        .updateTable('workspace_settings')
        .set({ report_at: to })
        .where((is) => is.and({ workspace_id: workspaceId, report_at: from }))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

/**
 * Returns when a weekly report is due next. If daylight saving time skips its hour, the report is due an hour later. If
 * the hour occurs twice, it is due the first time.
 */
export function nextReportAt({ day, hour, timeZone }: WeeklyReport, after: number): number {
  const now = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(timeZone)
  const inDays = (days: number): number => {
    const date = now.toPlainDate().add({ days })
    return date.toZonedDateTime({ timeZone, plainTime: { hour } }).epochMilliseconds
  }
  const days = (day - now.dayOfWeek + 7) % 7
  return inDays(days) > after ? inDays(days) : inDays(days + 7)
}

export function withoutReport({ weeklyReport: _ended, ...rest }: Settings): Settings {
  return rest
}

function parse(stored: string | undefined): Settings {
  return stored === undefined ? DEFAULT_SETTINGS : settings.parse(JSON.parse(stored))
}

export interface RecentUtm {
  read(workspaceId: string, userId: string): Promise<StoredUtmValues | undefined>
  save(workspaceId: string, userId: string, values: StoredUtmValues): Promise<void>
}

export function createRecentUtm({ now = Date.now, ...options }: StoreOptions): RecentUtm {
  const { db } = options.database
  return {
    async read(workspaceId, userId) {
      const row = await db
        .selectFrom('recent_utm')
        .select('utm')
        .where((is) => is.and({ workspace_id: workspaceId, user_id: userId }))
        .executeTakeFirst()
      return row && utmValues.parse(JSON.parse(row.utm))
    },

    async save(workspaceId, userId, values) {
      const used = { utm: JSON.stringify(values), used_at: now() }
      const statement = db
        .insertInto('recent_utm')
        .values({ workspace_id: workspaceId, user_id: userId, ...used })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet(used))
      await writeIfInstalled(options, workspaceId, statement)
    },
  }
}
