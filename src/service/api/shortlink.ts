import type { z } from 'zod'
import {
  type createdEnvelope,
  type ListedShortlink,
  DETAIL_FIELDS,
  type CreatedShortlink,
  type DetailedShortlink,
} from '../../contract/extension-calls.ts'
import { someFields } from '../../contract/field-spec.ts'
import { type LinkField, UTM_PARAMETERS } from '../../contract/link-fields.ts'
import { LISTED_FIELDS } from '../../contract/shortlink.ts'
import { formatNumber } from '../../web/numbers.ts'
import type { Addresses } from '../store/addresses.ts'
import { takenText } from '../store/back-half.ts'
import { TOO_MANY_DELETED } from '../store/owners.ts'
import { fieldValues } from '../store/link-values.ts'
import type { ListedRow } from '../store/link-list.ts'
import type { LinkRow, RefusedWrite } from '../store/links.ts'
import type { Caller } from './handler.ts'
import { deletedAtDetails, linkNotFound, ServiceError } from './errors.ts'

function shownFields<Name extends LinkField>(
  link: LinkRow,
  names: readonly Name[],
  addresses: Addresses,
): Pick<DetailedShortlink, Name> {
  const { preview_image_type: type } = link
  const image = type === null ? null : addresses.previewImageUrl(link, type)
  const tags = link.tags?.split(',') ?? null
  const values = { ...fieldValues(link), preview_image: image, tags }
  return someFields(names, (name) => values[name] ?? undefined) as Pick<DetailedShortlink, Name>
}

function toShortlink(link: LinkRow, addresses: Addresses): CreatedShortlink {
  const { enabled, ...fields } = shownFields(link, LISTED_FIELDS, addresses)
  return {
    name: link.id,
    shortlink_url: addresses.shortUrl(link),
    ...fields,
    ...(!enabled && { enabled }),
  }
}

export function toListedShortlink(link: ListedRow, addresses: Addresses): ListedShortlink {
  const { person_id: creatorId, key_name: keyName, destination_status } = link
  return {
    ...toShortlink(link, addresses),
    ...(link.utm_analytics_enabled === 1 && shownFields(link, UTM_PARAMETERS, addresses)),
    enabled: link.enabled === 1,
    created_at: new Date(link.created_at).toISOString(),
    updated_at: new Date(link.updated_at).toISOString(),
    clicks: link.people,
    ...(creatorId !== null && { created_by: { id: creatorId, name: link.person_name ?? '' } }),
    ...(destination_status !== null && { destination_status }),
    ...(keyName !== null && { created_with: keyName }),
  }
}

export function toDetailedShortlink(link: ListedRow, addresses: Addresses): DetailedShortlink {
  return { ...toListedShortlink(link, addresses), ...shownFields(link, DETAIL_FIELDS, addresses) }
}

export function successEnvelope<Members extends object>(message: string, members: Members) {
  return { data: { status: 'success' as const, message, ...members } }
}

export function createdResponse(link: LinkRow, addresses: Addresses): string {
  const shortlink = toShortlink(link, addresses)
  return JSON.stringify(
    successEnvelope('Shortlink created.', { shortlink }) satisfies z.infer<typeof createdEnvelope>,
  )
}

export function toError(result: RefusedWrite, addresses: Addresses, caller: Caller): ServiceError {
  switch (result.outcome) {
    case 'duplicate':
      return new ServiceError(
        'DUPLICATE_DESTINATION_URL',
        'This destination already has a short link on this domain.',
        caller.scopes.has('shortlinks:read')
          ? { details: { shortlink: toShortlink(result.link, addresses) } }
          : {},
      )
    case 'quota_reached':
      return new ServiceError(
        'FEATURE_LIMIT_EXCEEDED',
        `The quota of short links (${formatNumber(result.maxLinks)}) is used up. An admin of the link service can raise it.`,
        { details: { max_links: result.maxLinks } },
      )
    case 'too_many_deleted':
      return new ServiceError('FEATURE_LIMIT_EXCEEDED', TOO_MANY_DELETED)
    case 'back_half_taken':
      return new ServiceError('BACK_HALF_CONFLICT', 'This back-half is taken on this domain.', {
        details: {
          fields: { back_half: [takenText(result.deletedAt)] },
          ...deletedAtDetails(result.deletedAt),
        },
      })
    case 'stale':
      return new ServiceError(
        'PRECONDITION_FAILED',
        'The shortlink has changed since you read it. Read it again, and repeat your change.',
      )
    case 'address_out_of_reach':
      return new ServiceError(
        'PERMISSION_DENIED',
        'The shortlink has an earlier short URL on a domain record that this API key can’t reach, so the key can’t change it. Use a key for all of its domain records.',
      )
    case 'not_found':
      return linkNotFound()
  }
}
