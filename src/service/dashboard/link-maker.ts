import { formatNumber } from '../../web/numbers.ts'
import type { Form } from '../api/form.ts'
import type { Addresses } from '../store/addresses.ts'
import type { LinkContext } from '../store/context.ts'
import { type Owner, TOO_MANY_GIVEN_UP } from '../store/owners.ts'
import { UNKNOWN_DOMAIN, validateNewLink } from '../store/link-rules.ts'
import type { LinkWriter } from '../store/link-writer.ts'
import { makerOf, type Viewer } from './viewer.ts'
import type { LinkRow } from '../store/links.ts'

export const UNUSABLE_DOMAIN =
  'This owner can’t use this domain record, or it doesn’t exist. Choose another one.'

/** The error if a link has an earlier short URL on a domain record that a member can't reach. */
export const OUT_OF_REACH =
  'This link has an earlier short URL on a domain that the API key of your workspace can’t reach. Ask the administrator of this link service to change it.'

type Outcome = Awaited<ReturnType<LinkWriter['create' | 'createOnce']>>

export type MakeOutcome =
  | Exclude<Outcome, { outcome: 'domain_gone' | 'repeated' }>
  | { outcome: 'invalid'; errors: Record<string, string> }

/** Why a valid link is not written. */
type Refused =
  | { outcome: 'duplicate'; link: LinkRow }
  | { outcome: 'back_half_taken' | 'too_many_given_up' }
  | { outcome: 'quota_reached'; maxLinks: number }

/** What prevented a write, and the field that it is about. */
export function refusal(
  result: Refused,
  addresses: Addresses,
): { field: 'destination_url' | 'back_half' | 'owner'; text: string } {
  switch (result.outcome) {
    case 'duplicate': {
      const text = `This destination already has a short link on this domain: ${addresses.shortUrl(result.link)}. Use that one, or change the destination or its UTM parameters.`
      return { field: 'destination_url', text }
    }
    case 'back_half_taken': {
      const text = 'This back-half is taken on this domain. Choose another one.'
      return { field: 'back_half', text }
    }
    case 'too_many_given_up':
      return { field: 'owner', text: TOO_MANY_GIVEN_UP }
    case 'quota_reached': {
      const text = `This owner’s quota of short links (${formatNumber(result.maxLinks)}) is used up. The administrator of this link service can raise it with npm run admin -- orgs quota (or accounts quota).`
      return { field: 'owner', text }
    }
  }
}

/**
 * Prepares a link for a viewer, by the same rules as the API.
 *
 * @param owner undefined: only validates the rest
 * @param options.formToken of a form that must not make a second link
 * @param options.enabled false: the link is turned off
 * @returns what makes it. Links are made in the order of these calls
 */
export async function prepareLink(
  context: LinkContext,
  viewer: Viewer,
  owner: Owner | undefined,
  input: Form,
  { formToken, enabled = true }: { formToken?: string; enabled?: boolean } = {},
): Promise<() => Promise<MakeOutcome>> {
  const reach = {
    ownerId: owner?.id ?? '',
    domainIds: viewer.kind === 'member' ? viewer.domainIds : undefined,
    maxLinks: owner?.max_links ?? null,
    maker: makerOf(viewer),
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
function invalid(input: Form, owner: Owner | undefined): MakeOutcome {
  const { domain, ...errors } = input.errors.texts()
  return {
    outcome: 'invalid',
    errors: domain !== undefined && owner ? { ...errors, domain: UNUSABLE_DOMAIN } : errors,
  }
}
