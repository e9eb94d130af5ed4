import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Schema } from '../database/schema.ts'
import { whileInstalled, type Keeping } from './write-if-installed.ts'

/** UTM values, by the names of the create request (spec §4.1). */
export const utmValues = z.object({
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

const namingRules = z.object({
  lowerCase: z.boolean(),
  /** What stands in place of a space; null: spaces stay. */
  spaces: z.enum(['-', '_']).nullable(),
  /** The only values that the source and the medium may have; empty: any. */
  sources: z.array(z.string()),
  mediums: z.array(z.string()),
})

/** How UTM values are written in this workspace. */
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

/** The settings of each workspace. They go when the workspace goes. */
export interface SettingsStore {
  /** What was saved, else DEFAULT_SETTINGS. */
  read(workspaceId: string): Promise<Settings>
  /**
   * Changes the settings as they are at this moment: of two admins who change different parts at
   * once, neither undoes what the other did. What `change` throws leaves everything as it was.
   *
   * @returns the settings as they are then
   * @throws when the app is not installed there any more
   */
  update(
    workspaceId: string,
    userId: string,
    change: (settings: Settings) => Settings,
  ): Promise<Settings>
}

export function createSettingsStore({
  now = Date.now,
  ...keeping
}: Keeping & {
  /** Milliseconds since 1970. */
  now?: () => number
}): SettingsStore {
  const { db } = keeping.database
  return {
    async read(workspaceId) {
      const row = await db
        .selectFrom('workspace_settings')
        .select('settings')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst()
      return row ? settings.parse(JSON.parse(row.settings)) : DEFAULT_SETTINGS
    },

    async update(workspaceId, userId, change) {
      let changed: Settings | undefined
      const write = async (transaction: Kysely<Schema>): Promise<void> => {
        changed = await changeRow(transaction, { workspaceId, userId, change })
      }
      await whileInstalled(keeping, workspaceId, (writer) =>
        writer.isTransaction ? write(writer) : writer.transaction().execute(write),
      )
      if (!changed) throw new Error('the app is not installed in this workspace any more')
      return changed
    },
  }

  async function changeRow(
    transaction: Kysely<Schema>,
    {
      workspaceId,
      userId,
      change,
    }: { workspaceId: string; userId: string; change: (settings: Settings) => Settings },
  ): Promise<Settings> {
    const key = { workspace_id: workspaceId }
    // Written first, so that another change of this moment waits for the end of this one.
    await transaction
      .insertInto('workspace_settings')
      .values({
        ...key,
        settings: JSON.stringify(DEFAULT_SETTINGS),
        updated_by: userId,
        updated_at: now(),
      })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(key))
      .execute()
    const row = await transaction
      .selectFrom('workspace_settings')
      .select('settings')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow()
    const changed = settings.parse(change(settings.parse(JSON.parse(row.settings))))
    await transaction
      .updateTable('workspace_settings')
      .set({ settings: JSON.stringify(changed), updated_by: userId, updated_at: now() })
      .where('workspace_id', '=', workspaceId)
      .execute()
    return changed
  }
}
