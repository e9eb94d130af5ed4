import { z } from 'zod'
import type { Database } from '../database/database.ts'

/** UTM values, by the names of the create request (spec §4.1). */
const utmValues = z.object({
  utm_source: z.string().optional(),
  utm_medium: z.string().optional(),
  utm_campaign: z.string().optional(),
  utm_term: z.string().optional(),
  utm_content: z.string().optional(),
  utm_id: z.string().optional(),
})

const utmTemplate = z.object({ name: z.string().min(1), values: utmValues })

/** UTM values under a name, to be chosen in the form and in the command. */
export type UtmTemplate = z.infer<typeof utmTemplate>

/** How UTM values are written in this workspace. */
const namingRules = z.object({
  lowerCase: z.boolean(),
  /** What stands in place of a space; null: spaces stay. */
  spaces: z.enum(['-', '_']).nullable(),
  /** The only values that the source and the medium may have; empty: any. */
  sources: z.array(z.string()),
  mediums: z.array(z.string()),
})

export type NamingRules = z.infer<typeof namingRules>

const settings = z.object({
  qr: z.object({
    enabled: z.boolean(),
    /** `#RRGGBB`; absent: black. */
    color: z.string().optional(),
  }),
  templates: z.array(utmTemplate),
  naming: namingRules,
  mayShorten: z.enum(['everyone', 'not_guests']),
})

/** What a workspace's admins decided, besides its connection to the link service. */
export type Settings = z.infer<typeof settings>

/** Before anybody decided anything. */
export const DEFAULT_SETTINGS: Settings = {
  qr: { enabled: true },
  templates: [],
  naming: { lowerCase: false, spaces: null, sources: [], mediums: [] },
  mayShorten: 'everyone',
}

export interface SettingsStore {
  /** What was saved, else DEFAULT_SETTINGS. */
  read(workspaceId: string): Promise<Settings>
  save(workspaceId: string, settings: Settings, userId: string): Promise<void>
}

export function createSettingsStore({
  database: { db },
  now = Date.now,
}: {
  database: Database
  /** Milliseconds since 1970. */
  now?: () => number
}): SettingsStore {
  return {
    async read(workspaceId) {
      const row = await db
        .selectFrom('workspace_settings')
        .select('settings')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst()
      return row ? settings.parse(JSON.parse(row.settings)) : DEFAULT_SETTINGS
    },

    async save(workspaceId, saved, userId) {
      const row = {
        workspace_id: workspaceId,
        settings: JSON.stringify(settings.parse(saved)),
        updated_by: userId,
        updated_at: now(),
      }
      await db
        .insertInto('workspace_settings')
        .values(row)
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
        .execute()
    },
  }
}
