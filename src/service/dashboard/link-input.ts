import { formatNumber } from '../../web/numbers.ts'
import type { Addresses } from '../store/addresses.ts'
import type { LinkContext } from '../store/context.ts'
import type { NewLink } from '../store/create-link.ts'
import { validateNewLink, type LinkInput } from '../store/link-rules.ts'
import type { RefusedWrite } from '../store/links.ts'
import { takenText } from '../store/back-half.ts'
import { type Owner, TOO_MANY_DELETED } from '../store/owners.ts'
import type { Viewer } from './access.ts'

export const NOT_FOUND = 'This link does not exist, or you can’t see it.'

export const OUT_OF_REACH =
  'This link has an earlier short URL on a domain that the API key of your workspace can’t reach. Ask the administrator of this link service to change it.'

export function refusal(
  result: RefusedWrite,
  addresses: Addresses,
): { field?: 'destination_url' | 'back_half'; text: string } {
  switch (result.outcome) {
    case 'duplicate':
      return {
        field: 'destination_url',
        text: `This destination already has a short link on this domain: ${addresses.shortUrl(result.link)}. Use that one, or change the destination or its UTM parameters.`,
      }
    case 'back_half_taken':
      return { field: 'back_half', text: takenText(result.deletedAt) }
    case 'too_many_deleted':
      return { text: TOO_MANY_DELETED }
    case 'stale':
      return { text: 'This link was changed at the same time. Try again.' }
    case 'address_out_of_reach':
      return { text: OUT_OF_REACH }
    case 'not_found':
      return { text: NOT_FOUND }
    case 'quota_reached':
      return {
        text: `This workspace’s quota of short links (${formatNumber(result.maxLinks)}) is used up. The administrator of this link service can raise it with npm run admin -- orgs quota (or accounts quota).`,
      }
  }
}

/** Checks all fields, even if the user chose no owner. Adds errors to `input.errors`. */
export async function prepareLink(
  context: LinkContext,
  viewer: Viewer,
  owner: Owner | undefined,
  input: LinkInput,
): Promise<NewLink | undefined> {
  const reach = { ...viewer, ownerId: owner?.id ?? '', maxLinks: owner?.max_links ?? null }
  const link = await validateNewLink(context, reach, input)
  return owner && link
}
