import type { ApiError } from '../../port/failures.ts'
import type { ListedLink } from './link-page.ts'
import { receivedListedLink, timeOf } from '../../client/json.ts'

/** What a 409 on a create is about. Spec §4.1 describes both conflicts but gives them no codes. */
type ConflictKind = 'duplicate' | 'back_half' | 'unclear'

/**
 * Distinguishes the two conflicts. Without a back-half in the request it can only be a duplicate. Otherwise the
 * error's code decides, or the field that the error names.
 */
export function conflictKind(
  { code = '', fieldMessages }: ApiError,
  request: { back_half?: string | undefined },
): ConflictKind {
  if (!request.back_half) return 'duplicate'
  const isBackHalf = /back_?half/i.test(code) || 'back_half' in fieldMessages
  const isDuplicate = /destination/i.test(code) || 'destination_url' in fieldMessages
  if (isBackHalf === isDuplicate) return 'unclear'
  return isBackHalf ? 'back_half' : 'duplicate'
}

/** The existing link that causes the conflict, if the service shows it in `details.shortlink`. */
export function conflictingLink({ details }: ApiError): ListedLink | undefined {
  return receivedListedLink.safeParse(details['shortlink']).data
}

/** When the link that an error is about was deleted, in milliseconds since 1970, if the service says. */
export function deletedAtOf({ details: { deleted_at: time } }: ApiError): number | undefined {
  return typeof time === 'string' ? timeOf(time) || undefined : undefined
}

/**
 * Whether a refusal is about what the key may do, and not about a limit, which another key doesn't change (spec §4.1).
 * Only the service's code or its words can tell.
 */
export function isAboutPermission({ status, code, explanation }: ApiError): boolean {
  const text = `${code ?? ''} ${explanation ?? ''}`
  const isLimit = /limit|quota|exceed|plan\b|upgrade|used up/i.test(text)
  return status === 403 && !isLimit && /permission|scope|allow|read.?only/i.test(text)
}
