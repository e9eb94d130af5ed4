import { utmValues, type UtmTemplate } from './settings.ts'
import { whileInstalled, type Keeping } from './write-if-installed.ts'

/** The UTM values with which each person of a workspace last made a link. */
export interface RecentUtm {
  /** Undefined where they have used none yet. */
  read(workspaceId: string, userId: string): Promise<UtmTemplate['values'] | undefined>
  /** Takes the place of those before. */
  save(workspaceId: string, userId: string, values: UtmTemplate['values']): Promise<void>
}

export function createRecentUtm({
  now = Date.now,
  ...keeping
}: Keeping & {
  /** Milliseconds since 1970. */
  now?: () => number
}): RecentUtm {
  const { db } = keeping.database
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
      await whileInstalled(keeping, workspaceId, (writer) =>
        writer
          .insertInto('recent_utm')
          .values({ workspace_id: workspaceId, user_id: userId, ...used })
          .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet(used))
          .execute(),
      )
    },
  }
}
