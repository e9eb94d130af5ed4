import { fieldsOfKind, isLinkField, type LinkField } from '../../../contract/link-fields.ts'
import { createFieldErrors } from '../../api/errors.ts'
import type { LinkContext, ServiceContext } from '../../store/context.ts'
import { findDomain } from '../../store/domains.ts'
import { fieldValues, isUnchanged } from '../../store/link-values.ts'
import { findByShortUrl, findShownLink, type LinkRow } from '../../store/links.ts'
import type { Owner } from '../../store/owners.ts'
import { prepareLink, refusal, type MakeOutcome } from '../link-maker.ts'
import { chosenOwner } from '../menus.ts'
import { reachOf, type Viewer } from '../viewer.ts'
import { LINK_COLUMNS } from './export.ts'
import type { CsvFile, CsvRow } from './read-csv.ts'

/** How many rows are written at once. They share a commit, and other writes wait for no more than them. */
const ROWS_AT_ONCE = 50

/** The result of a row. */
export type RowResult = { row: number; destination: string } & (
  | { result: 'created'; shortUrl: string }
  /** The link already existed. `message` says what differs. */
  | { result: 'exists'; shortUrl: string; message: string }
  | { result: 'error'; errors: { column: string; message: string }[] }
)

/** What applies to rows that don't say otherwise. */
export interface ImportChoices {
  viewer: Viewer
  /** Empty: each row names its owner. Otherwise, all links are for this owner. */
  ownerId: string
  /** The domain record of rows without one. */
  domainId: string
}

/**
 * Creates the links of a file in batches. A row whose link already exists creates none, so a file can be imported
 * again, for example after an interruption.
 */
export async function* importLinks(
  context: LinkContext,
  file: CsvFile,
  choices: ImportChoices,
): AsyncGenerator<RowResult[], void> {
  const owners = new Map<string, Promise<Owner | undefined>>()
  const findOwner = (id: string): Promise<Owner | undefined> => {
    const found = owners.get(id) ?? chosenOwner(context, choices.viewer, id)
    owners.set(id, found)
    return found
  }
  for (let at = 0; at < file.rows.length; at += ROWS_AT_ONCE) {
    const rows = file.rows.slice(at, at + ROWS_AT_ONCE)
    const prepared = await Promise.all(
      rows.map((row) => prepareRow(context, findOwner, row, choices)),
    )
    // Made in the order of the file.
    yield await Promise.all(prepared.map((make) => make()))
  }
}

async function prepareRow(
  context: LinkContext,
  findOwner: (id: string) => Promise<Owner | undefined>,
  { number, cells, isTooLong }: CsvRow,
  { viewer, ownerId, domainId }: ImportChoices,
): Promise<() => Promise<RowResult>> {
  const { owner_id: ownerCell = '', enabled = 'true' } = cells
  const row = { row: number, destination: cells['destination_url'] ?? '' }
  const given = cells['enabled'] === undefined ? {} : { enabled }
  if (cells['deleted_at'] !== undefined) {
    const message = 'This link was deleted. Its short URL can’t be used again.'
    return async () => ({ ...row, result: 'error', errors: [{ column: 'deleted_at', message }] })
  }
  const values: Record<string, string> = { domain: domainId }
  for (const name of LINK_COLUMNS) {
    const text = cells[name]
    if (text !== undefined) values[name] = text
  }
  const input = { values, errors: createFieldErrors() }
  if (isTooLong) input.errors.add('', 'The row has more cells than there are headings.')
  if (!['true', 'false'].includes(enabled)) input.errors.add('enabled', 'Use true or false.')
  const owner = await findOwner(ownerId || ownerCell)
  if (!owner)
    input.errors.add(
      'owner_id',
      'There is no owner with this ID. Choose the owner in the form, or correct the ID.',
    )
  const make = await prepareLink(context, viewer, owner, input, { enabled: enabled === 'true' })
  return async () => toResult(context, viewer, row, { ...values, ...given }, await make())
}

async function toResult(
  { db, addresses }: LinkContext,
  viewer: Viewer,
  row: { row: number; destination: string },
  values: Record<string, string>,
  made: MakeOutcome,
): Promise<RowResult> {
  const shown = (link: LinkRow): string => addresses.shortUrl(link)
  const refused = (result: Parameters<typeof refusal>[0]): RowResult => {
    const { field, text: message } = refusal(result, addresses)
    const column = field === 'owner' ? 'owner_id' : field
    return { ...row, result: 'error', errors: [{ column, message }] }
  }
  switch (made.outcome) {
    case 'created':
      return { ...row, result: 'created', shortUrl: shown(made.link) }
    case 'duplicate': {
      const message = differences(values, made.link)
      return { ...row, result: 'exists', shortUrl: shown(made.link), message }
    }
    case 'back_half_taken': {
      const existing = await findSame(db, viewer, values)
      if (!existing) return refused(made)
      const message = 'It belongs to another owner, or has other UTM parameters.'
      return { ...row, result: 'exists', shortUrl: shown(existing), message }
    }
    case 'form_used':
      throw new Error('a row is no form')
    case 'invalid': {
      // What an existing link has already is no error, such as an expiry that has passed since the export.
      const existing = await findSame(db, viewer, values)
      const errors = Object.entries(made.errors)
        .map(([column, message]) => ({ column, message }))
        .filter(
          ({ column }) => !existing || !isLinkField(column) || differs(values, column, existing),
        )
      if (!existing || errors.length > 0) return { ...row, result: 'error', errors }
      const message = differences(values, existing)
      return { ...row, result: 'exists', shortUrl: shown(existing), message }
    }
    default:
      return refused(made)
  }
}

const COMPARED = fieldsOfKind('text', 'lines', 'tags', 'color', 'flag', 'instant')

/** Whether a row has another value than a link. Cells are trimmed. */
function differs(values: Record<string, string>, name: LinkField, link: LinkRow): boolean {
  const text = values[name]
  if (text === undefined) return false
  return !isUnchanged(link, name, text) && text !== String(fieldValues(link)[name] ?? '').trim()
}

/** Says which values of a row differ from those of the existing link. An import never changes a link. */
function differences(values: Record<string, string>, link: LinkRow): string {
  const { back_half: backHalf } = values
  const columns = COMPARED.filter((name) => differs(values, name, link))
  return [
    ...(differs(values, 'back_half', link)
      ? [`The back-half “${backHalf ?? ''}” was not used.`]
      : []),
    ...(columns.length > 0 ? [`The link keeps other values of: ${columns.join(', ')}.`] : []),
  ].join(' ')
}

/** Finds the link with the back-half of a row, if it has the row's destination, too, and the viewer sees it. */
async function findSame(
  db: ServiceContext['db'],
  viewer: Viewer,
  {
    domain: domainId = '',
    back_half: backHalf = '',
    destination_url: destination = '',
  }: Record<string, string>,
): Promise<LinkRow | undefined> {
  if (/\0/.test(domainId + backHalf)) return undefined // PostgreSQL rejects it.
  const domain = await findDomain(db, domainId)
  const found = domain && (await findByShortUrl(db, [domain.domain_name], backHalf))
  const link = found && (await findShownLink(db, reachOf(viewer), found.id))
  return link?.destination_url === URL.parse(destination)?.href ? link : undefined
}
