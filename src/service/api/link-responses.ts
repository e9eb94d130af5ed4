import type { CreatedEnvelope } from '../../contract/shortlink.ts'
import { formatNumber } from '../../web/numbers.ts'
import type { Addresses } from '../store/addresses.ts'
import type { ChangeOutcome, DeleteOutcome } from '../store/change-link.ts'
import type { CreateOutcome } from '../store/create-link.ts'
import { TOO_MANY_GIVEN_UP } from '../store/given-up.ts'
import { UNKNOWN_DOMAIN } from '../store/link-rules.ts'
import type { LinkRow } from '../store/links.ts'
import type { LinkWriter } from '../store/link-writer.ts'
import { createFieldErrors, linkNotFound, ServiceError } from './errors.ts'
import { toShortlink } from './shortlink.ts'

/** The JSON of the response to a create (spec §4.1). */
export function createdResponse(link: LinkRow, addresses: Addresses): string {
  const shortlink = toShortlink(link, addresses)
  const envelope: CreatedEnvelope = {
    data: { status: 'success', message: 'Shortlink created.', shortlink },
  }
  return JSON.stringify(envelope)
}

type Outcome =
  | CreateOutcome
  | ChangeOutcome
  | DeleteOutcome
  | Awaited<ReturnType<LinkWriter['create' | 'update']>>

type Success = 'created' | 'changed' | 'unchanged' | 'deleted' | 'repeated'

/** The error for what prevented a write. @param mayRead whether the caller may see the existing link of a duplicate */
export function toError(
  result: Exclude<Outcome, { outcome: Success }>,
  addresses: Addresses,
  mayRead: boolean,
): ServiceError {
  switch (result.outcome) {
    case 'duplicate':
      return new ServiceError(
        'DUPLICATE_DESTINATION_URL',
        'This destination already has a short link on this domain.',
        mayRead ? { details: { shortlink: toShortlink(result.link, addresses) } } : {},
      )
    case 'quota_reached':
      return new ServiceError(
        'FEATURE_LIMIT_EXCEEDED',
        `The quota of short links (${formatNumber(result.maxLinks)}) is used up. An admin of the link service can raise it.`,
        { details: { max_links: result.maxLinks } },
      )
    case 'too_many_given_up':
      return new ServiceError('FEATURE_LIMIT_EXCEEDED', TOO_MANY_GIVEN_UP)
    case 'back_half_taken':
      return new ServiceError('BACK_HALF_CONFLICT', 'This back-half is taken on this domain.', {
        details: { fields: { back_half: ['This back-half is taken. Choose another one.'] } },
      })
    case 'domain_gone': {
      const errors = createFieldErrors()
      errors.add('domain', UNKNOWN_DOMAIN)
      return errors.toError()
    }
    case 'stale':
      return new ServiceError(
        'PRECONDITION_FAILED',
        'The shortlink has changed since you read it. Read it again, and repeat your change.',
      )
    case 'not_found':
      return linkNotFound()
  }
}
