import { defineWrite } from '../database/write.ts'
import { DAY_MS } from '../timing/days.ts'
import { NotInstalledError } from './installations.ts'
import { lockedBy, lockInstallation, type StoreOptions } from './write-if-installed.ts'

/** A person's request for a link to a destination that is not allowed. Approvers in a channel approve or decline it. */
export interface LinkApproval {
  id: string
  workspaceId: string
  requestedBy: string
  draft: string
}

export const APPROVAL_LIMITS = { perWorkspace: 200, perPerson: 20, days: 14 } as const

// A claim ends after this time, so that others can decide if the process ended during a decision.
const CLAIM_MS = 2 * 60_000

export const addApproval = defineWrite(async function addApproval(
  transaction,
  lockedWorkspace: string | undefined,
  { id, workspaceId, requestedBy, draft }: LinkApproval,
  now: number,
): Promise<'added' | 'exists' | 'full' | 'not_installed'> {
  if (!(await lockInstallation(transaction, lockedWorkspace))) return 'not_installed'
  const waiting = await transaction
    .selectFrom('link_approvals')
    .select(['id', 'requested_by', 'draft'])
    .where('workspace_id', '=', workspaceId)
    .execute()
  const byPerson = waiting.filter((row) => row.requested_by === requestedBy)
  if (waiting.some((row) => row.id === id) || byPerson.some((row) => row.draft === draft)) {
    return 'exists'
  }
  const { perWorkspace, perPerson } = APPROVAL_LIMITS
  if (waiting.length >= perWorkspace || byPerson.length >= perPerson) return 'full'
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('link_approvals')
    .values({
      id,
      workspace_id: workspaceId,
      requested_by: requestedBy,
      draft,
      created_at: now,
      taken_until: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 0n ? 'exists' : 'added'
})

export interface LinkApprovals {
  /** @returns `exists` if this person has already asked for this link. @throws NotInstalledError */
  add(request: LinkApproval): Promise<'added' | 'exists' | 'full'>
  find(workspaceId: string, id: string): Promise<LinkApproval | undefined>
  /** Lets one approver decide. @returns when the claim ends, or undefined if another approver is deciding */
  claim(request: LinkApproval): Promise<number | undefined>
  unclaim(request: LinkApproval, claimedUntil: number): Promise<void>
  remove(request: LinkApproval): Promise<void>
  /** If several processes call this, each request is returned once. */
  removeExpired(limit: number): Promise<LinkApproval[]>
}

export function createLinkApprovals({ now = Date.now, ...options }: StoreOptions): LinkApprovals {
  const { db, write } = options.database
  const columns = [
    'id',
    'workspace_id as workspaceId',
    'requested_by as requestedBy',
    'draft',
  ] as const

  return {
    async add(request) {
      const locked = lockedBy(options, request.workspaceId)
      const result = await write(addApproval(locked, request, now()))
      if (result === 'not_installed') throw new NotInstalledError()
      return result
    },

    find: (workspaceId, id) =>
      db
        .selectFrom('link_approvals')
        .where((is) => is.and({ workspace_id: workspaceId, id }))
        .select(columns)
        .executeTakeFirst(),

    async claim({ id }) {
      const claimedUntil = now() + CLAIM_MS
      const { numUpdatedRows } = await db
        .updateTable('link_approvals')
        .set({ taken_until: claimedUntil })
        .where('id', '=', id)
        .where('taken_until', '<=', now())
        .executeTakeFirst()
      return numUpdatedRows > 0n ? claimedUntil : undefined
    },

    async unclaim({ id }, claimedUntil) {
      await db
        .updateTable('link_approvals')
        .set({ taken_until: 0 })
        .where((is) => is.and({ id, taken_until: claimedUntil }))
        .execute()
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
