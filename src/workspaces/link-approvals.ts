import { DAY_MS } from '../timing/days.ts'
import { writeIfInstalled, type StoreOptions } from './write-if-installed.ts'

/** A person's request for a link to a destination that is not allowed. Approvers in a channel approve or decline it. */
export interface LinkApproval {
  id: string
  workspaceId: string
  requestedBy: string
  draft: string
}

export const APPROVAL_LIMITS = { perWorkspace: 200, perPerson: 20, days: 14 } as const

/** A claim ends after this time, so that others can decide if the process ended during a decision. */
const CLAIM_MS = 2 * 60_000

export interface LinkApprovals {
  /** @returns `exists` if this person has already asked for this link, `full` if too many requests are waiting */
  add(request: LinkApproval): Promise<'added' | 'exists' | 'full'>
  find(workspaceId: string, id: string): Promise<LinkApproval | undefined>
  /** Lets one approver decide. @returns false if another approver is deciding */
  claim(request: LinkApproval): Promise<boolean>
  unclaim(request: LinkApproval): Promise<void>
  remove(request: LinkApproval): Promise<void>
  /**
   * Deletes requests that are too old, and returns them. If several processes call this, each request is returned once.
   */
  removeExpired(limit: number): Promise<LinkApproval[]>
}

export function createLinkApprovals({ now = Date.now, ...options }: StoreOptions): LinkApprovals {
  const { db } = options.database
  const columns = [
    'id',
    'workspace_id as workspaceId',
    'requested_by as requestedBy',
    'draft',
  ] as const
  const find = (workspaceId: string, id: string): Promise<LinkApproval | undefined> =>
    db
      .selectFrom('link_approvals')
      .where((is) => is.and({ workspace_id: workspaceId, id }))
      .select(columns)
      .executeTakeFirst()

  return {
    find,

    async add({ id, workspaceId, requestedBy, draft }) {
      if (await find(workspaceId, id)) return 'exists'
      const waiting = await db
        .selectFrom('link_approvals')
        .select(['requested_by', 'draft'])
        .where('workspace_id', '=', workspaceId)
        .execute()
      const byPerson = waiting.filter((row) => row.requested_by === requestedBy)
      if (byPerson.some((row) => row.draft === draft)) return 'exists'
      const { perWorkspace, perPerson } = APPROVAL_LIMITS
      if (waiting.length >= perWorkspace || byPerson.length >= perPerson) return 'full'
      const row = { id, workspace_id: workspaceId, requested_by: requestedBy, draft }
      const added = await writeIfInstalled(
        options,
        workspaceId,
        db
          .insertInto('link_approvals')
          .values({ ...row, created_at: now(), taken_until: 0 })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id'),
      )
      return added?.length ? 'added' : 'exists'
    },

    async claim({ id }) {
      const { numUpdatedRows } = await db
        .updateTable('link_approvals')
        .set({ taken_until: now() + CLAIM_MS })
        .where('id', '=', id)
        .where('taken_until', '<=', now())
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async unclaim({ id }) {
      await db.updateTable('link_approvals').set({ taken_until: 0 }).where('id', '=', id).execute()
    },

    async remove({ id }) {
      await db.deleteFrom('link_approvals').where('id', '=', id).execute()
    },

    async removeExpired(limit) {
      const before = now() - APPROVAL_LIMITS.days * DAY_MS
      return db
        .deleteFrom('link_approvals')
        .where('id', 'in', (is) =>
          is
            .selectFrom('link_approvals')
            .select('id')
            .where('created_at', '<=', before)
            .where('taken_until', '<=', now())
            .limit(limit),
        )
        .returning(columns)
        .execute()
    },
  }
}
