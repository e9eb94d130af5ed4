import type { z } from 'zod'
import { createRequest, UTM_PARAMETERS, type CreateField } from '../../contract/create-request.ts'
import { parseExpiresAt } from '../../contract/expiry.ts'
import {
  previewImageIssue,
  previewImageType,
  type ImageFile,
  type PreviewImageIssue,
} from '../../contract/preview-image.ts'
import { normalizeHostname } from './addresses.ts'
import { backHalfError } from './back-half.ts'
import type { Blocklist } from './blocklist.ts'
import type { LinkChanges } from './change-link.ts'
import type { ServiceContext } from './context.ts'
import { parseDestination } from './destination.ts'
import { findReachableDomain, hasDomainName, type DomainRow } from './domains.ts'
import type { NewLink } from './insert-link.ts'
import {
  EMPTY_FIELDS,
  LINK_FLAGS,
  LINK_TEXTS,
  type LinkFields,
  type LinkReach,
  type LinkRow,
} from './links.ts'
import { measurePreviewImage } from './preview-image-size.ts'
import type { PreviewImage } from './preview-images.ts'

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

/** The fields of a change: those of a create, all optional, and whether the link is on. */
export const changeRequest = createRequest.partial().extend({
  enabled: createRequest.shape.qr_code_enabled.describe(
    'Whether the link is turned on. If not, its short URL doesn’t redirect.',
  ),
})

/** The fields that every link has, so that a change can't empty them. */
const NEVER_EMPTY = ['destination_url', 'domain', 'back_half', 'enabled']

const IMAGE_ERRORS: Record<PreviewImageIssue, string> = {
  extension: 'Use an image whose name ends in .jpeg, .jpg, .png or .svg.',
  size: 'Use an image of at most 512,000 bytes (500 KB).',
  content: 'The content of this file doesn’t match its name. Use a JPEG, PNG or SVG image.',
}

/** What was entered for a link, and the errors that were found so far. */
export interface LinkInput {
  /** The fields that are not empty. */
  values: Readonly<Record<string, string | ImageFile>>
  /** The names of the fields that were sent as an empty text. */
  emptied: ReadonlySet<string>
  errors: {
    add(field: string, message: string): void
    has(field: string): boolean
    isEmpty(): boolean
  }
}

type RuleContext = Pick<ServiceContext, 'db' | 'addresses' | 'now'> & { blocklist: Blocklist }

/**
 * Validates a new link (spec §4.1), and looks up the records that it names. An empty text counts as not sent.
 *
 * @returns undefined if there are errors, which are added to those of the input. The error is the same for a
 *   domain record that the caller may not use and for one that does not exist
 */
export async function validateNewLink(
  context: RuleContext,
  owner: LinkReach & Pick<NewLink, 'maxLinks'>,
  input: LinkInput,
): Promise<NewLink | undefined> {
  const request = checkSchema(createRequest, input)
  checkValues(input, context.now())
  const domain = await checkRecords(context, owner, input)
  if (!request || !domain || !input.errors.isEmpty()) return undefined
  const { ownerId, maxLinks } = owner
  const fields = { ...EMPTY_FIELDS, ...givenFields(request) }
  const { back_half: backHalf, preview_image: image } = request
  return { ownerId, maxLinks, domain, backHalf, fields, image: image && measured(image) }
}

/**
 * Validates what is to change in a link. An empty text clears a field.
 *
 * @param link as it is before the change
 * @returns undefined if there are errors, which are added to those of the input
 */
export async function validateChanges(
  context: RuleContext,
  reach: LinkReach,
  link: LinkRow,
  input: LinkInput,
): Promise<LinkChanges | undefined> {
  const { emptied, errors } = input
  const request = checkSchema(changeRequest, input)
  for (const name of NEVER_EMPTY) {
    if (emptied.has(name)) errors.add(name, 'This field can’t be empty.')
  }
  // The time that the link has already, even if it is past, is no change.
  checkValues(input, context.now(), link.expires_at)
  const domain = await checkRecords(context, reach, input)
  if (!request || !errors.isEmpty()) return undefined
  const { back_half: backHalf, preview_image: image } = request
  return {
    fields: { ...clearedFields(emptied), ...givenFields(request) },
    domain,
    backHalf,
    image:
      typeof image === 'object' ? measured(image) : emptied.has('preview_image') ? null : undefined,
  }
}

/** The columns of the fields that a request gives. */
function givenFields(request: z.output<typeof changeRequest>): Partial<LinkFields> {
  const { destination_url: destination, expires_at: expiry } = request
  const texts = LINK_TEXTS.flatMap((name) =>
    request[name] === undefined ? [] : [[name, request[name]]],
  )
  const flags = LINK_FLAGS.flatMap((name) =>
    request[name] === undefined ? [] : [[name, Number(request[name])]],
  )
  return {
    ...(Object.fromEntries([...texts, ...flags]) as Partial<LinkFields>),
    ...(destination !== undefined && { destination_url: new URL(destination).href }),
    ...(expiry && { expires_at: parseExpiresAt(expiry) ?? null }),
  }
}

/** The columns of the fields that were sent empty. */
function clearedFields(emptied: ReadonlySet<string>): Partial<LinkFields> {
  return Object.fromEntries(Object.entries(EMPTY_FIELDS).filter(([name]) => emptied.has(name)))
}

function measured({ filename, bytes }: ImageFile): PreviewImage | undefined {
  const type = previewImageType(filename)
  return type && { bytes, type, ...measurePreviewImage(type, bytes) }
}

/** Checks the values against a schema of the contract. Returns them if they follow it. */
function checkSchema<T>(schema: z.ZodType<T>, { values, errors }: LinkInput): T | undefined {
  const parsed = schema.safeParse(values)
  for (const issue of parsed.error?.issues ?? []) addIssue(errors, issue, values)
  return parsed.data
}

/**
 * Checks the rules of ours that need no database.
 *
 * @param expiresAt when the link expires already, in milliseconds since 1970
 */
function checkValues({ values, errors }: LinkInput, now: number, expiresAt?: number | null): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') checkText(errors, name as CreateField, value)
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
  if (typeof values['expires_at'] === 'string') {
    const time = parseExpiresAt(values['expires_at'])
    if (time === undefined) {
      errors.add('expires_at', 'Use a date like 2027-12-31, or a time like 2027-12-31T18:00:00Z.')
    } else if (time <= now && time !== expiresAt) {
      errors.add('expires_at', 'Use a time in the future.')
    }
  }
}

/** Checks the rules that need the database. Returns the domain record, if one is named and within reach. */
async function checkRecords(
  { db, addresses, blocklist }: RuleContext,
  { ownerId, domainIds }: LinkReach,
  { values, errors }: LinkInput,
): Promise<DomainRow | undefined> {
  const { domain: domainId, destination_url: destination } = values
  let domain: DomainRow | undefined
  if (typeof domainId === 'string' && !errors.has('domain')) {
    const allowed = !domainIds || domainIds.includes(domainId)
    domain = allowed ? await findReachableDomain(db, domainId, ownerId) : undefined
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
  return domain
}

function checkText(errors: LinkInput['errors'], name: CreateField, text: string): void {
  const max = MAX_LENGTH[name]
  if (max === undefined) return
  if (text.length > max) errors.add(name, `Use at most ${max} characters.`)
  const line = name === MULTILINE ? text.replaceAll(/[\t\r\n]/g, '') : text
  if (/\p{Cc}/u.test(line)) errors.add(name, 'Remove control characters and line breaks.')
}

function addIssue(
  errors: LinkInput['errors'],
  issue: z.core.$ZodIssue,
  values: LinkInput['values'],
): void {
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
