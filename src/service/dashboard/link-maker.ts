import type { Blocklist } from '../store/blocklist.ts'
import type { ServiceContext } from '../store/context.ts'
import { UNKNOWN_DOMAIN, validateNewLink, type LinkInput } from '../store/link-rules.ts'
import type { LinkWriter } from '../store/link-writer.ts'
import type { Owner } from '../store/owners.ts'

export const UNUSABLE_DOMAIN = 'This owner can’t use this domain record, or it doesn’t exist.'

/** What was entered for a link. `messages` are its errors by field. */
export type EnteredInput = LinkInput & { messages(): Record<string, string> }

/** What the dashboard's link-making routes work with. */
export type LinkMakerContext = ServiceContext & { blocklist: Blocklist; links: LinkWriter }

type Outcome = Awaited<ReturnType<LinkWriter['create' | 'createOnce']>>

export type MakeOutcome =
  | Exclude<Outcome, { outcome: 'domain_gone' | 'repeated' }>
  | { outcome: 'invalid'; errors: Record<string, string> }

/** Fields by the names that the API uses. */
export function linkInput(values: LinkInput['values']): EnteredInput {
  const errors = new Map<string, string>()
  return {
    values,
    errors: {
      add(field, message) {
        const earlier = errors.get(field)
        if (earlier !== message) errors.set(field, earlier ? `${earlier} ${message}` : message)
      },
      has: (field) => errors.has(field),
      isEmpty: () => errors.size === 0,
    },
    messages: () => Object.fromEntries(errors),
  }
}

/**
 * Prepares a link for the administrator, by the same rules as the API.
 *
 * @param owner undefined: only validates the rest
 * @param options.formToken of a form that must not make a second link
 * @param options.enabled false: the link is turned off
 * @returns what makes it. Links are made in the order of these calls
 */
export async function prepareLink(
  context: LinkMakerContext,
  owner: Owner | undefined,
  input: EnteredInput,
  { formToken, enabled = true }: { formToken?: string; enabled?: boolean } = {},
): Promise<() => Promise<MakeOutcome>> {
  const reach = {
    ownerId: owner?.id ?? '',
    domainIds: undefined,
    maxLinks: owner?.max_links ?? null,
  }
  const link = await validateNewLink(context, reach, input)
  if (!link || !owner) return async () => invalid(input, owner)
  if (!enabled) link.fields.enabled = 0
  return async () => {
    const result = await (formToken === undefined
      ? context.links.create(link)
      : context.links.createOnce(link, formToken))
    if (result.outcome === 'repeated') throw new Error('there was no Idempotency-Key')
    if (result.outcome !== 'domain_gone') return result
    input.errors.add('domain', UNKNOWN_DOMAIN)
    return invalid(input, owner)
  }
}

/** Which domain records can be used depends on the owner. */
function invalid(input: EnteredInput, owner: Owner | undefined): MakeOutcome {
  const { domain, ...errors } = input.messages()
  return {
    outcome: 'invalid',
    errors: domain !== undefined && owner ? { ...errors, domain: UNUSABLE_DOMAIN } : errors,
  }
}
