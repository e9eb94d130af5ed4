import type { z } from 'zod'
import {
  createRequest,
  UTM_PARAMETERS,
  type CreateField,
  type CreateRequest,
} from '../../contract/create-request.ts'
import {
  previewImageIssue,
  previewImageType,
  type ImageFile,
  type PreviewImageIssue,
} from '../../contract/preview-image.ts'
import { normalizeHostname } from '../store/addresses.ts'
import { backHalfError } from '../store/back-half.ts'
import type { Blocklist } from '../store/blocklist.ts'
import type { ServiceContext } from '../store/context.ts'
import { parseDestination } from '../store/destination.ts'
import { findReachableDomain, hasDomainName, type DomainRow } from '../store/domains.ts'
import { measurePreviewImage, type ImageSize } from '../store/preview-image-size.ts'
import type { Caller } from './authentication.ts'
import type { FieldErrors } from './errors.ts'
import type { Form } from './form.ts'

/** The error of a domain record that does not exist, or that the API key can't reach. */
export const UNKNOWN_DOMAIN = 'Your API key has no domain record with this ID.'

/** Longest texts in characters. Our choice: the specification sets no limits. */
export const MAX_LENGTH: Partial<Record<CreateField, number>> = {
  domain: 100,
  title: 200,
  ...Object.fromEntries(UTM_PARAMETERS.map((name) => [name, 255])),
  preview_title: 200,
  preview_description: 500,
}

/** The only text that may have several lines. */
const MULTILINE: CreateField = 'preview_description'

const IMAGE_ERRORS: Record<PreviewImageIssue, string> = {
  extension: 'Use an image whose name ends in .jpeg, .jpg, .png or .svg.',
  size: 'Use an image of at most 512,000 bytes (500 KB).',
  content: 'The content of this file doesn’t match its name. Use a JPEG, PNG or SVG image.',
}

/** A create request that follows every rule. */
export interface ValidatedCreate {
  ownerId: string
  /** How many links the owner may have; null: no limit. */
  maxLinks: number | null
  /** Whether the caller may see links, and so an existing link to the same destination. */
  mayRead: boolean
  domain: DomainRow
  request: CreateRequest
  /** The preview image with its media type and its size in pixels; undefined if there is none. */
  image: ({ bytes: Uint8Array; type: string } & ImageSize) | undefined
}

/**
 * Validates a create form (spec §4.1), and looks up the records that it names.
 *
 * @throws ServiceError VALIDATION_ERROR with every invalid field. The error is the same for a domain
 *   record that the caller may not use and for one that does not exist
 */
export async function validateCreate(
  { db, addresses, blocklist }: ServiceContext & { blocklist: Blocklist },
  caller: Caller,
  form: Form,
): Promise<ValidatedCreate> {
  const { values, errors } = form
  const request = validateFields(form)
  const { domain: domainId, destination_url: destination } = values
  let domain: DomainRow | undefined
  if (typeof domainId === 'string' && !errors.has('domain')) {
    const allowed = !caller.domainIds || caller.domainIds.includes(domainId)
    domain = allowed ? await findReachableDomain(db, domainId, caller.ownerId) : undefined
    if (!domain) errors.add('domain', UNKNOWN_DOMAIN)
  }
  if (typeof destination === 'string' && !errors.has('destination_url')) {
    const url = new URL(destination)
    if (addresses.isOwnUrl(url) || (await hasDomainName(db, normalizeHostname(url.hostname)))) {
      errors.add('destination_url', 'This URL is on a short domain of this service.')
    } else if (blocklist.blocks(url.hostname)) {
      errors.add('destination_url', 'Links to this address are blocked on this service.')
    }
  }
  errors.throwIfAny()
  if (!request || !domain) throw new Error('a form without errors has a request and a domain')
  const { ownerId, maxLinks, scopes } = caller
  const image = request.preview_image && measuredImage(request.preview_image)
  return { ownerId, maxLinks, mayRead: scopes.has('shortlinks:read'), domain, request, image }
}

function measuredImage({ filename, bytes }: ImageFile): ValidatedCreate['image'] {
  const type = previewImageType(filename)
  return type && { bytes, type, ...measurePreviewImage(type, bytes) }
}

/**
 * Checks the rules that need no database, those of the specification and ours. Adds to the form's
 * errors.
 *
 * @returns the request, if it follows the rules of the specification
 */
function validateFields({ values, errors }: Form): CreateRequest | undefined {
  const parsed = createRequest.safeParse(values)
  for (const issue of parsed.error?.issues ?? []) addIssue(errors, issue, values)
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') validateText(errors, name as CreateField, value)
  }
  const { destination_url: destination, back_half: backHalf, preview_image: image } = values
  if (typeof destination === 'string') {
    const url = parseDestination(destination)
    if (typeof url === 'string') errors.add('destination_url', url)
  }
  if (typeof backHalf === 'string') {
    const error = backHalfError(backHalf)
    if (error) errors.add('back_half', error)
  }
  if (typeof image === 'object') {
    const error = previewImageIssue(image)
    if (error) errors.add('preview_image', IMAGE_ERRORS[error])
  }
  return parsed.data
}

function validateText(errors: FieldErrors, name: CreateField, text: string): void {
  const max = MAX_LENGTH[name]
  if (max === undefined) return
  if (text.length > max) errors.add(name, `Use at most ${max} characters.`)
  const line = name === MULTILINE ? text.replaceAll(/[\t\r\n]/g, '') : text
  if (/\p{Cc}/u.test(line)) errors.add(name, 'Remove control characters and line breaks.')
}

function addIssue(errors: FieldErrors, issue: z.core.$ZodIssue, values: Form['values']): void {
  if (issue.code === 'unrecognized_keys') {
    for (const name of issue.keys) errors.add(name, 'This field does not exist.')
    return
  }
  const name = String(issue.path[0] ?? '')
  // An error that was found while reading (too long, sent twice) says more than “required”.
  if (!errors.has(name)) errors.add(name, messageOf(issue, name in values))
}

function messageOf(issue: z.core.$ZodIssue, isSent: boolean): string {
  if (issue.code === 'invalid_value') return `Use ${issue.values.map(String).join(' or ')}.`
  if (issue.code === 'custom') return 'Send this field as a file, with its name.'
  if (issue.code !== 'invalid_type') return issue.message
  return isSent ? 'Send this field as text.' : 'This field is required.'
}
