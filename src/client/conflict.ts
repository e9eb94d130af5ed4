import type { Shortlink } from '../contract/shortlink.ts'
import { answeredShortlink } from './answered-shortlink.ts'
import type { ApiError } from './errors/api-error.ts'

/** What a 409 on a create is about (spec §4.1 names both kinds, and no codes for them). */
export type ConflictKind = 'duplicate' | 'back_half' | 'unclear'

/**
 * Tells the two kinds of 409 apart: where no back-half was sent it can only be a duplicate
 * destination; otherwise the code, or the field that it complains of, may say.
 */
export function conflictKind(
  { code = '', fieldMessages }: ApiError,
  request: { back_half?: string | undefined },
): ConflictKind {
  if (!request.back_half) return 'duplicate'
  const backHalf = /back_?half/i.test(code) || 'back_half' in fieldMessages
  const duplicate = /destination/i.test(code) || 'destination_url' in fieldMessages
  if (backHalf === duplicate) return 'unclear'
  return backHalf ? 'back_half' : 'duplicate'
}

/** The link that is there already, where the service shows it in `details.shortlink`. */
export function existingLink({ details }: ApiError): Shortlink | undefined {
  return answeredShortlink.safeParse(details['shortlink']).data
}
