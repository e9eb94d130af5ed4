import { defineWrite } from '../../database/write.ts'
import { claimKey, releaseKey, type IdempotentRequest, type Repeated } from './idempotency-keys.ts'
import { tryInsertLink, type CreateOutcome, type PlannedLink } from './insert-link.ts'
import { findDuplicate, type LinkRow } from './links.ts'
import { markFormUsed, releaseForm } from './used-forms.ts'

interface CreateRequest {
  link: PlannedLink
  now: number
  idempotent?: IdempotentRequest | undefined
}

/** Creates a link, unless its Idempotency-Key was used before, or a limit or another link prevents it. */
export const createLink = defineWrite(async function createLink(
  transaction,
  { link, now, idempotent }: CreateRequest,
): Promise<CreateOutcome | Repeated> {
  if (!idempotent) return tryInsertLink(transaction, link, now)
  const earlier = await claimKey(transaction, idempotent, now)
  if (earlier) return earlier
  const result = await tryInsertLink(transaction, link, now)
  if (result.outcome !== 'created') await releaseKey(transaction, idempotent)
  return result
})

/** The form was submitted before. `link` is the link that it created, or undefined if that link has changed since. */
export type FormUsed = { outcome: 'form_used'; link: LinkRow | undefined }

export const createLinkOnce = defineWrite(async function createLinkOnce(
  transaction,
  link: PlannedLink,
  now: number,
  formToken: string,
): Promise<CreateOutcome | FormUsed> {
  if (!(await markFormUsed(transaction, formToken, now))) {
    return { outcome: 'form_used', link: await findDuplicate(transaction, link.row) }
  }
  const result = await tryInsertLink(transaction, link, now)
  if (result.outcome !== 'created') await releaseForm(transaction, formToken)
  return result
})
