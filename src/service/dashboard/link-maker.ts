import { ServiceError } from '../api/errors.ts'
import type { Form } from '../api/form.ts'
import { createLinkWriter, type InsertOutcome } from '../api/link-writer.ts'
import { validateCreate } from '../api/validate-create.ts'
import type { Blocklist } from '../store/blocklist.ts'
import type { ServiceContext } from '../store/context.ts'
import { SCOPES } from '../store/key-rules.ts'
import type { Owner } from '../store/owners.ts'

const UNUSABLE_DOMAIN = 'This owner can’t use this domain record, or it doesn’t exist.'

/** Messages by field. */
export type LinkErrors = Record<string, string>

export type MakeOutcome = InsertOutcome | { outcome: 'invalid'; errors: LinkErrors }

/** Makes links for the administrator, by the same rules as the API. */
export interface LinkMaker {
  /**
   * @param owner undefined: only validates the rest, and returns the errors
   * @param formToken of a form that must not make a second link
   */
  make(owner: Owner | undefined, form: Form, formToken?: string): Promise<MakeOutcome>
}

export function createLinkMaker(context: ServiceContext & { blocklist: Blocklist }): LinkMaker {
  const links = createLinkWriter(context)
  return {
    async make(owner, form, formToken) {
      try {
        const validated = await validateCreate(context, callerFor(owner), form)
        if (!owner) return { outcome: 'invalid', errors: {} }
        return await links.insert(validated, formToken)
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_ERROR') throw error
        const { domain, ...errors } = fieldMessages(error)
        // Which domains can be used depends on the owner.
        const domainError = domain !== undefined && owner && { domain: UNUSABLE_DOMAIN }
        return { outcome: 'invalid', errors: { ...errors, ...domainError } }
      }
    },
  }
}

function callerFor(owner: Owner | undefined) {
  return {
    apiKeyId: 'dashboard',
    ownerId: owner?.id ?? '',
    scopes: new Set(SCOPES),
    domainIds: undefined,
    maxLinks: owner?.max_links ?? null,
    requestsPerMinute: null,
  }
}

/** The errors of VALIDATION_ERROR by field, as one text each. */
function fieldMessages({ details }: ServiceError): LinkErrors {
  const fields = (details?.['fields'] ?? {}) as Record<string, string[]>
  return Object.fromEntries(
    Object.entries(fields).map(([name, messages]) => [name, messages.join(' ')]),
  )
}
