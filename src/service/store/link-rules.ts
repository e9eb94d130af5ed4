import type { z } from 'zod'
import { parseExpiresAt } from '../../contract/expiry.ts'
import {
  countCharacters,
  isLinkField,
  LINK_FIELD_NAMES,
  FIELD_SPECS,
  type LinkField,
} from '../../contract/link-fields.ts'
import type { FieldKind } from '../../contract/field-spec.ts'
import { createRequest, updateRequest, type UpdateRequest } from '../../contract/link-requests.ts'
import {
  previewImageIssue,
  previewImageType,
  type ImageFile,
  type PreviewImageIssue,
} from '../../contract/preview-image.ts'
import { tagsError } from '../../contract/tags.ts'
import { backHalfError } from './back-half.ts'
import type { LinkChanges } from './change-link.ts'
import type { LinkContext } from './context.ts'
import { parseDestination, redirectUrl } from './destination.ts'
import { destinationError, hostError, redirectLengthError } from './destination-rules.ts'
import { findReachableDomain, type DomainRow } from './domains.ts'
import type { FieldErrors } from './field-errors.ts'
import type { NewLink } from './create-link.ts'
import { toColumns, EMPTY_FIELDS, isUnchanged } from './link-values.ts'
import type { Creator, LinkReach, LinkRow } from './links.ts'
import { measurePreviewImage, type PreviewImage } from './preview-images.ts'
import type { HostRule } from './scopes.ts'
import { spellTags } from './tags.ts'

const UNKNOWN_DOMAIN =
  'There is no domain record with this ID that can be used here. Choose another one.'

const IMAGE_ERRORS: Record<PreviewImageIssue, string> = {
  extension: 'Use an image whose name ends in .jpeg, .jpg, .png or .svg.',
  size: 'Use an image of at most 512,000 bytes (500 KB).',
  content: 'The content of this file doesn’t match its name. Use a JPEG, PNG or SVG image.',
}

export interface LinkInput {
  values: Readonly<Record<string, string | ImageFile>>
  errors: FieldErrors
}

// The links that a caller can reach, and the hostnames to which they can lead.
interface RuleReach extends LinkReach {
  hostRules: readonly HostRule[]
}

type RuleContext = Pick<LinkContext, 'db' | 'addresses' | 'now' | 'blocklist'>

/**
 * Checks the fields of a new link, and converts them to the form in which they are stored (spec §4.1). An empty value
 * counts as not sent.
 * @returns undefined if a field has errors, which are added to `input.errors`
 */
export async function validateNewLink(
  context: RuleContext,
  owner: RuleReach & Pick<NewLink, 'maxLinks'> & { creator: Creator },
  input: LinkInput,
): Promise<NewLink | undefined> {
  const filled = filterValues(input, (_, value) => value !== '')
  const request = checkSchema(createRequest, filled)
  checkValues(filled, context.now())
  const domain = await checkRecords(context, owner, filled)
  if (!request || !domain || !input.errors.isEmpty()) return undefined
  const fields = { ...EMPTY_FIELDS, ...(await columnsFor(context, owner, request)) }
  if (!isRedirectable(fields, input)) return undefined
  const { back_half: backHalf, preview_image: image } = request
  const { id: domain_id, domain_name: hostname } = domain
  return {
    columns: { ...fields, ...owner.creator, owner_id: owner.ownerId, domain_id, hostname },
    backHalf,
    maxLinks: owner.maxLinks,
    image: image && toPreviewImage(image),
  }
}

/**
 * Checks the changes of a link, like `validateNewLink`. An empty value clears a field. A value that the link already
 * has is not checked again, because it might have become invalid. For example, its destination might have been blocked.
 */
export async function validateChanges(
  context: RuleContext,
  reach: RuleReach,
  link: LinkRow,
  input: LinkInput,
): Promise<LinkChanges | undefined> {
  const request = checkSchema(updateRequest, input)
  const changed = filterValues(input, (name, value) => {
    if (value === '') return false
    const isText = isLinkField(name) && typeof value === 'string'
    return !isText || !isUnchanged(link, name, value)
  })
  checkValues(changed, context.now())
  const domain = await checkRecords(context, reach, changed)
  if (!request || !input.errors.isEmpty()) return undefined
  const { back_half: backHalf, preview_image: image } = request
  const fields = await columnsFor(context, { ...reach, ownerId: link.owner_id }, request)
  const next = { ...link, ...fields }
  if (redirectUrl(next) !== redirectUrl(link) && !isRedirectable(next, input)) return undefined
  return {
    fields,
    domain,
    backHalf,
    image: image === '' ? null : image && toPreviewImage(image),
  }
}

async function columnsFor({ db }: RuleContext, reach: LinkReach, request: UpdateRequest) {
  const { tags, ...columns } = toColumns(request)
  if (tags === undefined) return columns
  return { ...columns, tags: tags && (await spellTags(db, reach, tags)) }
}

function isRedirectable(link: Parameters<typeof redirectUrl>[0], { errors }: LinkInput): boolean {
  const error = redirectLengthError(link)
  if (error !== undefined) errors.add('destination_url', error)
  return error === undefined
}

function filterValues(
  { values, errors }: LinkInput,
  isWanted: (name: string, value: string | ImageFile) => boolean,
): LinkInput {
  const wanted = Object.entries(values).filter(([name, value]) => isWanted(name, value))
  return { values: Object.fromEntries(wanted), errors }
}

function toPreviewImage({ filename, bytes }: ImageFile): PreviewImage | undefined {
  const type = previewImageType(filename)
  return type && { bytes, type, ...measurePreviewImage(type, bytes) }
}

function checkSchema<T>(schema: z.ZodType<T>, { values, errors }: LinkInput): T | undefined {
  const parsed = schema.safeParse(values)
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0])
    // A field that was too long or sent twice already has an error, which says more than “required”.
    if (!errors.has(name)) errors.add(name, toMessage(issue, values[name]))
  }
  return parsed.data
}

type TextRule = (text: string, now: number) => unknown

// A rule returns a message if it finds an error.
const TEXT_RULES: Partial<Record<FieldKind, TextRule>> = {
  url: parseDestination,
  back_half: backHalfError,
  tags: tagsError,
  instant: expiryError,
}

function checkValues({ values, errors }: LinkInput, now: number): void {
  for (const name of LINK_FIELD_NAMES) {
    const value = values[name]
    if (typeof value !== 'string') continue
    checkText(errors, name, value)
    const error = TEXT_RULES[FIELD_SPECS[name].kind]?.(value, now)
    if (typeof error === 'string') errors.add(name, error)
  }
  const { preview_image: image } = values
  const issue = typeof image === 'object' ? previewImageIssue(image) : undefined
  if (issue) errors.add('preview_image', IMAGE_ERRORS[issue])
}

export function expiryError(text: string, now: number): string | undefined {
  const time = parseExpiresAt(text)
  if (time === undefined) return 'Use a date like 2027-12-31, or a time like 2027-12-31T18:00:00Z.'
  return time <= now ? 'Use a time in the future.' : undefined
}

async function checkRecords(
  context: RuleContext,
  { ownerId, domainIds, hostRules }: RuleReach,
  { values, errors }: LinkInput,
): Promise<DomainRow | undefined> {
  const { domain: domainId, destination_url: destination } = values
  let domain: DomainRow | undefined
  if (typeof domainId === 'string' && !errors.has('domain')) {
    const allowed = !domainIds || domainIds.includes(domainId)
    if (allowed) domain = await findReachableDomain(context.db, domainId, ownerId)
    // A record of another owner gets the same error as a missing one, so that a caller can't tell which records exist.
    if (!domain) errors.add('domain', UNKNOWN_DOMAIN)
  }
  if (typeof destination === 'string' && !errors.has('destination_url')) {
    const error =
      (await destinationError(context, destination)) ?? hostError(destination, hostRules)
    if (error !== undefined) errors.add('destination_url', error)
  }
  return domain
}

function checkText(errors: FieldErrors, name: LinkField, text: string): void {
  const { kind, maxLength } = FIELD_SPECS[name]
  if (!['domain', 'text', 'lines'].includes(kind) || maxLength === undefined) return
  if (countCharacters(text) > maxLength) errors.add(name, `Use at most ${maxLength} characters.`)
  const line = kind === 'lines' ? text.replaceAll(/[\t\r\n]/g, '') : text
  if (/\p{Cc}/u.test(line)) errors.add(name, 'Remove control characters and line breaks.')
}

function toMessage(issue: z.core.$ZodIssue, sent: string | ImageFile | undefined): string {
  if (sent === '') return 'This field can’t be empty.'
  if (issue.code === 'invalid_value') {
    return `Use ${issue.values.map(String).filter(Boolean).join(' or ')}.`
  }
  if (issue.code === 'custom') return 'Send this field as a file, with its name.'
  if (issue.code !== 'invalid_type') return issue.message
  return sent === undefined ? 'This field is required.' : 'Send this field as text.'
}
