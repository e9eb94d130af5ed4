import type { Db } from '../../database/schema.ts'
import { DAY_MS } from '../../timing/days.ts'
import { KEPT_DAYS, startedBy } from './sessions.ts'

export const SESSIONS_AT_ONCE = 100

export async function listSessions(
  db: Db,
  ownerId: string | undefined,
  { page, now }: { page: number; now: number },
) {
  const rows = await db
    .selectFrom('dashboard_tokens as token')
    .leftJoin('api_keys as key', 'key.id', 'token.api_key_id')
    .leftJoin('owners', 'owners.id', 'key.owner_id')
    .selectAll('token')
    .select(['key.name as key_name', 'key.revoked_at', 'key.expires_at as key_expires_at'])
    .select('owners.name as owner_name')
    .where('token.kind', '=', 'session')
    .$if(ownerId !== undefined, (query) => query.where(startedBy(ownerId ?? '')))
    .where('token.created_at', '>', now - KEPT_DAYS * DAY_MS)
    .orderBy('token.created_at', 'desc')
    .orderBy('token.id')
    .limit(SESSIONS_AT_ONCE + 1)
    .offset((page - 1) * SESSIONS_AT_ONCE)
    .execute()
  return rows.map(({ ended_at, revoked_at, key_expires_at, expires_at, ...row }) => {
    const ends = [ended_at, revoked_at, key_expires_at, expires_at].filter((end) => end !== null)
    return { ...row, endsAt: Math.min(...ends) }
  })
}

/** @returns false if the owner has no session with this id */
export async function endListedSession(
  db: Db,
  ownerId: string | undefined,
  id: string,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('dashboard_tokens')
    .set((is) => ({ ended_at: is.fn.coalesce('ended_at', is.val(now)) }))
    .where('kind', '=', 'session')
    .where('id', '=', id)
    .$if(ownerId !== undefined, (query) => query.where(startedBy(ownerId ?? '')))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
