import { z } from 'zod'
import type { deletedEnvelope } from '../../contract/extension-calls.ts'
import type { ServiceContext } from '../store/context.ts'
import { erasePerson } from '../store/erase-person.ts'
import type { Caller } from './authentication.ts'
import { parseQuery } from './errors.ts'

/** What calls accept as the ID of a person. */
export const personId = z
  .string()
  .min(1, 'Send the ID of a person.')
  .max(200, 'An ID has at most 200 characters.')
  .regex(/^\P{Cc}*$/u, 'An ID has no control characters.')

export const personPath = z.strictObject({
  id: personId.describe('The ID of the person, as in X-Made-By.'),
})

/**
 * `DELETE /api/v1/people/{id}`: erases a person from the links of the caller's owner, on all domain records.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
export async function removePerson(
  { write, eraseDeleted }: ServiceContext,
  { ownerId }: Caller,
  params: unknown,
): Promise<z.infer<typeof deletedEnvelope>> {
  const { id } = parseQuery(personPath, params)
  let isFound = false
  while ((await write(erasePerson(ownerId, id), ownerId)) > 0) isFound = true
  if (isFound) await eraseDeleted()
  return { data: { status: 'success', message: 'The person was erased.' } }
}
