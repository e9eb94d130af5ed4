import type { Database } from '../../database/database.ts'
import {
  deleteLink,
  updateLink,
  type ChangeOutcome,
  type DeleteOutcome,
  type LinkChanges,
  type LinkTarget,
} from './change-link.ts'
import {
  createLink,
  createLinkOnce,
  planLink,
  type CreateOutcome,
  type FormUsed,
  type NewLink,
} from './create-link.ts'
import type { IdempotentRequest, Repeated } from './repeated-requests.ts'
import type { LinkRow } from './links.ts'

/** Each method returns after the commit. Conflicts are outcomes, because an error would roll back other writes. */
export interface LinkWriter {
  create(
    link: NewLink,
    idempotent?: (link: LinkRow) => IdempotentRequest,
  ): Promise<CreateOutcome | Repeated>
  /** Creates one link, however often the form with this token is submitted. */
  createOnce(link: NewLink, formToken: string): Promise<CreateOutcome | FormUsed>
  update(target: LinkTarget, changes: LinkChanges): Promise<ChangeOutcome>
  delete(target: LinkTarget): Promise<DeleteOutcome>
}

/** @param announce gets the ids of changed links, after the commit and before the method returns */
export function createLinkWriter(
  { write }: Pick<Database, 'write'>,
  now: () => number,
  announce: (linkIds: readonly string[]) => void,
): LinkWriter {
  return {
    async create(link, idempotent) {
      const planned = planLink(link, now())
      return write(createLink(planned, now(), idempotent?.(planned.row)), link.ownerId)
    },

    async createOnce(link, formToken) {
      return write(createLinkOnce(planLink(link, now()), now(), formToken), link.ownerId)
    },

    async update(target, changes) {
      const result = await write(updateLink(target, changes, now()), target.ownerId)
      if (result.outcome === 'changed') announce([target.linkId])
      return result
    },

    async delete(target) {
      const result = await write(deleteLink(target, now()), target.ownerId)
      if (result.outcome === 'deleted') announce([target.linkId])
      return result
    },
  }
}
