import type { Database } from '../../database/database.ts'
import type { Write } from '../../database/write.ts'
import {
  deleteLink,
  updateLink,
  type ChangeOutcome,
  type DeleteOutcome,
  type LinkChanges,
  type LinkTarget,
} from './change-link.ts'
import { planLink, type NewLink, type PlannedLink } from './create-link.ts'

// Generated back-halves collide so rarely that more collisions in a row would mean a bug.
const MAX_TRIES = 10

/** Each method returns after the commit. Conflicts are outcomes, because an error would roll back other writes. */
export interface LinkWriter {
  /** @param defineCreation returns a write of create-link.ts. A generated back-half that is taken is replaced */
  create<Result extends { outcome: string }>(
    link: NewLink,
    defineCreation: (planned: PlannedLink, time: number) => Write<Result>,
  ): Promise<Result>
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
    async create(link, defineCreation) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const time = now()
        const result = await write(
          defineCreation(planLink(link, time), time),
          link.columns.owner_id,
        )
        // Only a generated back-half can be replaced.
        if (result.outcome !== 'back_half_taken' || link.backHalf !== undefined) return result
      }
      throw new Error('no free back-half was found')
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
