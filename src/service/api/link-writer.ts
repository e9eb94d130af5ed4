import type { Transaction } from 'kysely'
import type { CreatedEnvelope } from '../../contract/shortlink.ts'
import { formatNumber } from '../../web/numbers.ts'
import type { ServiceContext } from '../store/context.ts'
import { createGroupCommit } from '../store/group-commit.ts'
import { isForeignKeyViolation } from '../../database/errors.ts'
import type { Schema } from '../../database/schema.ts'
import {
  claimKey,
  releaseKey,
  saveResponse,
  type IdempotentRequest,
} from '../store/idempotency-keys.ts'
import { lockOwners } from '../store/link-counts.ts'
import type { LinkRow } from '../store/links.ts'
import { markFormUsed, releaseForm } from '../store/sign-in.ts'
import { createFieldErrors, ServiceError } from './errors.ts'
import { findExisting, tryInsertLink, type CreateOutcome } from './insert-link.ts'
import { toShortlink } from './shortlink.ts'
import { UNKNOWN_DOMAIN, type ValidatedCreate } from './validate-create.ts'

/** Creates shortlinks (spec §4.1). */
export interface LinkWriter {
  /**
   * Creates a shortlink, and returns once it is committed.
   *
   * @param idempotent set if the request has an Idempotency-Key
   * @returns the JSON of the response; for a repeated request, exactly that of the first response
   * @throws ServiceError DUPLICATE_DESTINATION_URL (`details.shortlink` is the existing link, if the
   *   caller may see it), BACK_HALF_CONFLICT, FEATURE_LIMIT_EXCEEDED, or VALIDATION_ERROR if another
   *   request used the Idempotency-Key
   */
  create(validated: ValidatedCreate, idempotent: IdempotentRequest | undefined): Promise<string>
  /**
   * The same for the dashboard, which shows conflicts in its own way.
   *
   * @param formToken makes sure that a form that is submitted twice creates one link: `form_used` comes with the link
   *   of the first time, unless it has changed since
   * @throws ServiceError VALIDATION_ERROR if the domain record was removed meanwhile
   */
  insert(validated: ValidatedCreate, formToken?: string): Promise<InsertOutcome>
}

export type InsertOutcome = CreateOutcome | { outcome: 'form_used'; link: LinkRow | undefined }

export function createLinkWriter({ db, kind, addresses, now }: ServiceContext): LinkWriter {
  const commits = createGroupCommit(db, (transaction, owners) =>
    lockOwners(transaction, kind, owners),
  )

  /** The response to an outcome. Throws if no link was created. */
  function toResponse(result: CreateOutcome, { mayRead }: ValidatedCreate): string {
    switch (result.outcome) {
      case 'created': {
        const shortlink = toShortlink(result.link, addresses)
        const envelope: CreatedEnvelope = {
          data: { status: 'success', message: 'Shortlink created.', shortlink },
        }
        return JSON.stringify(envelope)
      }
      case 'duplicate':
        throw new ServiceError(
          'DUPLICATE_DESTINATION_URL',
          'This destination already has a short link on this domain.',
          mayRead ? { details: { shortlink: toShortlink(result.link, addresses) } } : {},
        )
      case 'quota_reached':
        throw new ServiceError(
          'FEATURE_LIMIT_EXCEEDED',
          `The quota of short links (${formatNumber(result.maxLinks)}) is used up. An admin of the link service can raise it.`,
          { details: { max_links: result.maxLinks } },
        )
      case 'back_half_taken':
        throw new ServiceError('BACK_HALF_CONFLICT', 'This back-half is taken on this domain.', {
          details: { fields: { back_half: ['This back-half is taken. Choose another one.'] } },
        })
    }
  }

  /** Commits a create. Conflicts are thrown after it: inside, they would roll back the other creates. */
  async function commit(
    validated: ValidatedCreate,
    idempotent: IdempotentRequest | undefined,
  ): Promise<() => string> {
    return commits.write(validated.ownerId, async (transaction) => {
      const earlier = idempotent && (await claimKey(transaction, idempotent, now()))
      if (earlier) return () => earlierResponse(earlier, idempotent)
      const result = await tryInsertLink(transaction, validated, now())
      if (!idempotent) return () => toResponse(result, validated)
      if (result.outcome !== 'created') {
        await releaseKey(transaction, idempotent)
        return () => toResponse(result, validated)
      }
      const response = toResponse(result, validated)
      await saveResponse(transaction, idempotent, response)
      return () => response
    })
  }

  return {
    async create(validated, idempotent) {
      const respond = await commit(validated, idempotent).catch(rethrowUnknownDomain)
      return respond()
    },
    async insert(validated, formToken) {
      const task = async (transaction: Transaction<Schema>): Promise<InsertOutcome> => {
        if (formToken === undefined) return tryInsertLink(transaction, validated, now())
        if (!(await markFormUsed(transaction, formToken, now()))) {
          return { outcome: 'form_used', link: await findExisting(transaction, validated) }
        }
        const result = await tryInsertLink(transaction, validated, now())
        if (result.outcome !== 'created') await releaseForm(transaction, formToken)
        return result
      }
      return commits.write(validated.ownerId, task).catch(rethrowUnknownDomain)
    },
  }
}

/** The domain record was removed since it was checked. Nothing else that a link refers to ever is. */
function rethrowUnknownDomain(error: unknown): never {
  throw isForeignKeyViolation(error) ? unknownDomain() : error
}

function unknownDomain(): ServiceError {
  const errors = createFieldErrors()
  errors.add('domain', UNKNOWN_DOMAIN)
  return errors.toError()
}

function earlierResponse(
  earlier: { requestHash: string; response: string },
  { requestHash }: IdempotentRequest,
): string {
  if (earlier.requestHash === requestHash) return earlier.response
  const message = 'Another request has used this Idempotency-Key. Choose a new one.'
  throw new ServiceError('VALIDATION_ERROR', message, {
    details: { fields: { 'Idempotency-Key': [message] } },
  })
}
