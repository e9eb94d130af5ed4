import { utmValues, type StoredUtmValues } from './settings.ts'
import { writeIfInstalled, type StoreOptions } from './write-if-installed.ts'

/** The UTM values that each user last made a link with. */
export interface RecentUtm {
  /** Undefined if the user has not used any yet. */
  read(workspaceId: string, userId: string): Promise<StoredUtmValues | undefined>
  /** Replaces the values stored before. */
  save(workspaceId: string, userId: string, values: StoredUtmValues): Promise<void>
}

export function createRecentUtm({ now = Date.now, ...options }: StoreOptions): RecentUtm {
  const { db } = options.database
  return {
    async read(workspaceId, userId) {
      const row = await db
        .selectFrom('recent_utm')
        .select('utm')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row && utmValues.parse(JSON.parse(row.utm))
    },

    async save(workspaceId, userId, values) {
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
