import { utmValues, type StoredUtmValues } from './settings.ts'
import { writeIfInstalled, type StoreOptions } from './write-if-installed.ts'

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

    /** Replaces the values stored before. */
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
