import { isForeignKeyViolation } from '../../database/errors.ts'
import { createGroupCommit } from '../../database/group-commit.ts'
import {
  deleteLink,
  updateLink,
  type ChangeOutcome,
  type DeleteOutcome,
  type LinkChanges,
  type LinkTarget,
} from './change-link.ts'
import type { ServiceContext } from './context.ts'
import { createLinks, type Create, type IdempotentCreate, type Repeated } from './create-links.ts'
import { findExisting, tryInsertLink, type CreateOutcome, type NewLink } from './insert-link.ts'
import { lockOwners } from './link-counts.ts'
import type { LinkRow } from './links.ts'
import { markFormUsed, releaseForm } from './sign-in.ts'

/** The domain record was removed after it was checked. Nothing else that a link refers to ever is. */
type DomainGone = { outcome: 'domain_gone' }

/** The form has created a link, which is given unless it has changed since. */
type FormUsed = { outcome: 'form_used'; link: LinkRow | undefined }

/** Writes links for the API and the dashboard. Every result is committed before it is returned. */
export interface LinkWriter {
  /** @param idempotent set if the request has an Idempotency-Key */
  create(
    link: NewLink,
    idempotent?: IdempotentCreate,
  ): Promise<CreateOutcome | DomainGone | Repeated>
  /** Creates the link of a form, however often the form with this token is submitted. */
  createOnce(link: NewLink, formToken: string): Promise<CreateOutcome | DomainGone | FormUsed>
  update(target: LinkTarget, changes: LinkChanges): Promise<ChangeOutcome | DomainGone>
  delete(target: LinkTarget): Promise<DeleteOutcome>
}

/**
 * Conflicts are outcomes, not errors: an error would roll back the other writes of the transaction.
 *
 * @param announce called for changed links once the change is committed, and before it is returned
 * @param committed called with the number of writes of each commit
 */
export function createLinkWriter(
  { db, kind, now }: Pick<ServiceContext, 'db' | 'kind' | 'now'>,
  announce: (linkIds: readonly string[]) => void,
  committed?: (writes: number) => void,
): LinkWriter {
  const commits = createGroupCommit(
    db,
    (transaction, owners) => lockOwners(transaction, kind, owners),
    committed,
  )
  const createInBulk = commits.inBulk((transaction, creates: readonly Create[]) =>
    createLinks(transaction, kind, creates, now()),
  )

  return {
    create: (link, idempotent) => orDomainGone(createInBulk(link.ownerId, { link, idempotent })),

    createOnce: (link, formToken) =>
      orDomainGone(
        commits.write(link.ownerId, async (transaction) => {
          if (!(await markFormUsed(transaction, formToken, now()))) {
            return { outcome: 'form_used', link: await findExisting(transaction, link) }
          }
          const result = await tryInsertLink(transaction, link, now())
          if (result.outcome !== 'created') await releaseForm(transaction, formToken)
          return result
        }),
      ),

    async update(target, changes) {
      const result = await orDomainGone(
        commits.write(target.ownerId, (transaction) =>
          updateLink(transaction, target, changes, now()),
        ),
      )
      if (result.outcome === 'changed') announce([target.linkId])
      return result
    },

    async delete(target) {
      const result = await commits.write(target.ownerId, (transaction) =>
        deleteLink(transaction, target, now()),
      )
      if (result.outcome === 'deleted') announce([target.linkId])
      return result
    },
  }
}

async function orDomainGone<T>(written: Promise<T>): Promise<T | DomainGone> {
  return written.catch((error: unknown) => {
    if (isForeignKeyViolation(error)) return { outcome: 'domain_gone' }
    throw error
  })
}
