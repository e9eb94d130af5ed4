import { DAY_MS } from '../timing/days.ts'
import type { StoreOptions } from './write-if-installed.ts'

const HOUR_MS = 3_600_000

/** Services might round the time at which a link expires to minutes. */
export const SAME_TIME_MS = 60_000

export interface Reminder {
  workspaceId: string
  address: string
  name: string
  createdBy: string
  expiresAt: number
  remindAt: number
}

/**
 * The creator of a link is reminded three days before the link expires, or an hour before if the link lives for less
 * than four days. A link that lives for less than two hours has no reminder, because its creator has just made it.
 * @param expiresAt undefined if the link never expires
 */
export function remindAt(expiresAt: number | undefined, now: number): number | null {
  if (expiresAt === undefined) return null
  if (expiresAt - now >= 4 * DAY_MS) return expiresAt - 3 * DAY_MS
  return expiresAt - now >= 2 * HOUR_MS ? expiresAt - HOUR_MS : null
}

export interface ReminderStore {
  due(limit: number): Promise<Reminder[]>
  /** Claims a reminder, so that it is sent at most once. @returns false if another process has claimed it */
  claim(reminder: Reminder): Promise<boolean>
  postpone(reminder: Reminder, until: number): Promise<void>
  /** Does nothing if the link expires at the recorded time, so that other changes cause no second reminder. */
  setExpiry(workspaceId: string, name: string, expiresAt: number | undefined): Promise<void>
}

export function createReminderStore({ database, now = Date.now }: StoreOptions): ReminderStore {
  const { db } = database
  return {
    due: (limit) =>
      db
        .selectFrom('made_links')
        .select(['workspace_id as workspaceId', 'short_url as address', 'link_name as name'])
        // A link has a reminder only if none of these is null.
        .select((is) => [
          is.ref('made_by').$notNull().as('createdBy'),
          is.ref('expires_at').$notNull().as('expiresAt'),
          is.ref('remind_at').$notNull().as('remindAt'),
        ])
        .where('remind_at', '<=', now())
        .orderBy('remind_at')
        .limit(limit)
        .execute(),

    async claim({ workspaceId, address, remindAt: seen }) {
      const { numUpdatedRows } = await db
        .updateTable('made_links')
        .set({ remind_at: null })
        .where((is) => is.and({ workspace_id: workspaceId, short_url: address, remind_at: seen }))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async postpone({ workspaceId, address, expiresAt }, until) {
      await db
        .updateTable('made_links')
        .set({ remind_at: until })
        .where((is) =>
          is.and({ workspace_id: workspaceId, short_url: address, expires_at: expiresAt }),
        )
        .execute()
    },

    async setExpiry(workspaceId, name, expiresAt) {
      await db
        .updateTable('made_links')
        .set((is) => ({
          expires_at: expiresAt ?? null,
          // A link that a workflow created has no creator to remind.
          remind_at: is
            .case()
            .when('made_by', 'is not', null)
            .then(remindAt(expiresAt, now()))
            .end(),
        }))
        .where((is) => is.and({ workspace_id: workspaceId, link_name: name, superseded: 0 }))
        .where((is) =>
          expiresAt === undefined
            ? is('expires_at', 'is not', null)
            : is.or([
                is('expires_at', 'is', null),
                is('expires_at', '<=', expiresAt - SAME_TIME_MS),
                is('expires_at', '>=', expiresAt + SAME_TIME_MS),
              ]),
        )
        .execute()
    },
  }
}
