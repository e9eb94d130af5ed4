import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { eachField, UTM_PARAMETERS } from '../contract/link-fields.ts'
import { nextReportAt, weeklyReport } from './weekly-report.ts'
import { writeIfInstalled, type StoreOptions } from './write-if-installed.ts'

/** UTM values, named as in the create request (spec §4.1). */
const utmValues = z.object(eachField(UTM_PARAMETERS, () => z.string().optional()))

type StoredUtmValues = z.infer<typeof utmValues>

const utmTemplate = z.object({
  name: z.string().min(1),
  values: utmValues,
  /** Separated by commas, as in the create request. */
  tags: z.string().optional(),
})

/** Named UTM values and tags that users choose in the form or with the command. */
export type UtmTemplate = z.infer<typeof utmTemplate>

const namingRules = z.object({
  lowerCase: z.boolean(),
  /** Replaces spaces; null: spaces stay. */
  spaces: z.enum(['-', '_']).nullable(),
  /** The only allowed sources and mediums; empty: any value is allowed. */
  sources: z.array(z.string()),
  mediums: z.array(z.string()),
})

/** How UTM values are written in this workspace. */
export type NamingRules = z.infer<typeof namingRules>

const allowedDestinations = z.object({
  hosts: z.array(z.string()).min(1),
  /** The channel whose members decide on links to other destinations; absent: they are refused. */
  approvers: z.string().optional(),
  /** Whether approvers can approve their own requests. */
  ownRequests: z.boolean(),
})

/** The only destinations to which links may lead. */
export type AllowedDestinations = z.infer<typeof allowedDestinations>

const settings = z.object({
  qr: z.object({
    enabled: z.boolean(),
    /** `#RRGGBB`; absent: black. */
    color: z.string().optional(),
  }),
  templates: z.array(utmTemplate),
  naming: namingRules,
  mayShorten: z.enum(['everyone', 'not_guests']),
  mayChange: z.enum(['maker_and_admins', 'everyone']),
  weeklyReport: weeklyReport.optional(),
  /** Absent: any. */
  destinations: allowedDestinations.optional(),
})

/** What a workspace's admins decided, apart from its connection to the link service. */
export type Settings = z.infer<typeof settings>

/** The settings of a workspace whose admins have not changed any. */
export const DEFAULT_SETTINGS: Settings = {
  qr: { enabled: true },
  templates: [],
  naming: { lowerCase: false, spaces: null, sources: [], mediums: [] },
  mayShorten: 'everyone',
  mayChange: 'maker_and_admins',
}

/** Our own limits, in characters or items. */
export const SETTINGS_LIMITS = {
  /** Each template is an option of a menu in the form. */
  templates: 50,
  /** An option's text holds 75 characters. */
  templateName: 75,
  /** Each allowed value is an option of a menu in the form. */
  allowedValues: 100,
  /** An option's text holds 75 characters. */
  allowedValue: 75,
} as const

export type SettingsStore = ReturnType<typeof createSettingsStore>

export function createSettingsStore({ now = Date.now, ...options }: StoreOptions) {
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
    /** The saved settings, or DEFAULT_SETTINGS. */
    async read(workspaceId: string): Promise<Settings> {
      return parse(await readRow(workspaceId))
    },

    /**
     * Changes the current settings. If two admins change different parts at the same time, both changes
     * are kept. If `change` throws, nothing is changed.
     *
     * @returns the settings after the change
     * @throws if the app is not installed anymore
     */
    async update(
      workspaceId: string,
      userId: string,
      change: (settings: Settings) => Settings,
    ): Promise<Settings> {
      for (;;) {
        const stored = await readRow(workspaceId)
        const before = parse(stored)
        const changed = settings.parse(change(before))
        const { weeklyReport: report } = changed
        const row = {
          ...{ settings: JSON.stringify(changed), updated_by: userId, updated_at: now() },
          ...(!isDeepStrictEqual(report, before.weeklyReport) && {
            report_at: report ? nextReportAt(report, now()) : null,
          }),
        }
        const written = await writeIfInstalled(
          options,
          workspaceId,
          db
            .insertInto('workspace_settings')
            .values({ workspace_id: workspaceId, ...row })
            .onConflict((conflict) =>
              conflict
                .column('workspace_id')
                .doUpdateSet(row)
                .where('workspace_settings.settings', '=', stored ?? ''),
            )
            .returning('workspace_id'),
        )
        if (!written) throw new Error('the app is not installed in this workspace anymore')
        // Otherwise, another change came first.
        if (written.length > 0) return changed
      }
    },

    /** The weekly reports that are due, the oldest first. */
    async dueReports(limit: number) {
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

    /**
     * Makes a weekly report due at another time.
     *
     * @param from when it is due now
     * @returns false if another process was faster, or if an admin has changed it
     */
    async moveReport(workspaceId: string, from: number, to: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('workspace_settings')
        .set({ report_at: to })
        .where('workspace_id', '=', workspaceId)
        .where('report_at', '=', from)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

/** A weekly report that is due. `at`: when it became due, or is tried again, in milliseconds since 1970. */
export type DueReport = Awaited<ReturnType<SettingsStore['dueReports']>>[number]

export function withoutReport({ weeklyReport: _ended, ...rest }: Settings): Settings {
  return rest
}

function parse(stored: string | undefined): Settings {
  return stored === undefined ? DEFAULT_SETTINGS : settings.parse(JSON.parse(stored))
}

/** The UTM values that each user last made a link with. */
export type RecentUtm = ReturnType<typeof createRecentUtm>

export function createRecentUtm({ now = Date.now, ...options }: StoreOptions) {
  const { db } = options.database
  return {
    /** Undefined if the user has not used any yet. */
    async read(workspaceId: string, userId: string): Promise<StoredUtmValues | undefined> {
      const row = await db
        .selectFrom('recent_utm')
        .select('utm')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row && utmValues.parse(JSON.parse(row.utm))
    },

    async save(workspaceId: string, userId: string, values: StoredUtmValues): Promise<void> {
      const used = { utm: JSON.stringify(values), used_at: now() }
      await writeIfInstalled(
        options,
        workspaceId,
        db
          .insertInto('recent_utm')
          .values({ workspace_id: workspaceId, user_id: userId, ...used })
          .onConflict((conflict) =>
            conflict.columns(['workspace_id', 'user_id']).doUpdateSet(used),
          ),
      )
    },
  }
}
