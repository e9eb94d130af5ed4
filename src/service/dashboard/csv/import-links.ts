import { someFields } from '../../../contract/field-spec.ts'
import { fieldsOfKind, without, LINK_FIELD_NAMES } from '../../../contract/link-fields.ts'
import { cellsByColumn, type CsvRow } from '../../../csv/csv.ts'
import { FieldErrors } from '../../store/field-errors.ts'
import type { LinkContext, ServiceContext } from '../../store/context.ts'
import { createLink } from '../../store/create-link.ts'
import { findDomain } from '../../store/domains.ts'
import { fieldValues, isUnchanged } from '../../store/link-values.ts'
import { findByShortUrl, findOwnLink, type LinkRow } from '../../store/links.ts'
import type { Owner } from '../../store/owners.ts'
import type { Viewer } from '../access.ts'
import { prepareLink, refusal } from '../link-input.ts'
import { chosenOwner } from '../menus.ts'
import { LINK_COLUMNS } from './export.ts'
import type { ImportChoices } from './import-columns.ts'

export interface RowResult {
  row: number
  destination: string
  result: 'created' | 'exists' | 'error'
  shortUrl: string | undefined
  /** By the name of the column. A message about the whole row has the name WHOLE_ROW. */
  messages: Record<string, string>
}

export const WHOLE_ROW = ''

/**
 * Creates a link for each row of a CSV file, unless the row's link already exists. An interrupted import can therefore
 * be repeated. Each inner promise is the result of one row.
 */
export async function importRows(
  context: LinkContext,
  viewer: Viewer,
  rows: readonly CsvRow[],
  choices: ImportChoices,
): Promise<Promise<RowResult>[]> {
  const prepared = await Promise.all(rows.map((row) => prepareRow(context, viewer, row, choices)))
  // No link is created before all rows are prepared, so that the links are created in the order of the file.
  return prepared.map((finish) => finish())
}

async function prepareRow(
  context: LinkContext,
  viewer: Viewer,
  row: CsvRow,
  { columns, ownerId, domainId }: ImportChoices,
): Promise<() => Promise<RowResult>> {
  const { addresses } = context
  const cells: Values = cellsByColumn(row, columns)
  // Excel writes TRUE and FALSE.
  for (const flag of FLAGS) cells[flag] = cells[flag]?.toLowerCase()
  const { owner_id: ownerCell = '', enabled = 'true' } = cells
  const report = (
    result: RowResult['result'],
    messages: RowResult['messages'],
    link?: LinkRow,
  ): RowResult => ({
    row: row.number,
    destination: cells['destination_url'] ?? '',
    result,
    shortUrl: link && addresses.shortUrl(link),
    messages,
  })
  if (cells['deleted_at'] !== undefined) {
    const message = 'This link was deleted. Its short URL can’t be used again.'
    return async () => report('error', { deleted_at: message })
  }
  const values = { domain: domainId, ...someFields(LINK_COLUMNS, (name) => cells[name]) }
  const reportExisting = (link: LinkRow) => report('exists', differences(cells, link), link)
  const owner = await chosenOwner(context, viewer, ownerId || ownerCell)
  // Found before the values are checked, because its expiry might have passed since the export, for example.
  const existing = owner && (await findExistingLink(context.db, viewer, owner, values))
  if (existing) return async () => reportExisting(existing)
  const errors = new FieldErrors()
  if (row.cells.length > columns.length) {
    errors.add(WHOLE_ROW, 'The row has more cells than there are headings.')
  }
  if (!['true', 'false'].includes(enabled)) errors.add('enabled', 'Use true or false.')
  if (!owner) {
    const text =
      'There is no workspace with this ID. Choose the workspace in the form, or correct the ID.'
    errors.add('owner_id', text)
  }
  const link = await prepareLink(context, viewer, owner, { values, errors })
  if (!link) return async () => report('error', errors.texts())
  link.columns.enabled = Number(enabled === 'true')
  return async () => {
    const written = await context.links.create(link, createLink)
    if (written.outcome === 'repeated') throw new Error('only a request with a key can be repeated')
    if (written.outcome === 'created') return report('created', {}, written.link)
    if (written.outcome === 'duplicate') return reportExisting(written.link)
    const { field = 'owner_id', text } = refusal(written, addresses)
    return report('error', { [field]: text })
  }
}

const FLAGS = fieldsOfKind('flag')
const COMPARED_FIELDS = without(LINK_FIELD_NAMES, fieldsOfKind('url', 'domain', 'image'))

type Values = Record<string, string | undefined>

function differences(values: Values, link: LinkRow): Record<string, string> {
  const different = COMPARED_FIELDS.filter((name) => {
    const text = values[name]
    if (text === undefined || isUnchanged(link, name, text)) return false
    return text !== String(fieldValues(link)[name] ?? '').trim()
  })
  if (different.length === 0) return {}
  return { [WHOLE_ROW]: `The link keeps other values of: ${different.join(', ')}.` }
}

async function findExistingLink(
  db: ServiceContext['db'],
  viewer: Viewer,
  owner: Owner,
  { domain: domainId = '', back_half: backHalf, destination_url: destination = '' }: Values,
): Promise<LinkRow | undefined> {
  if (!backHalf || /\0/.test(domainId + backHalf)) return undefined // PostgreSQL rejects NUL.
  const domain = await findDomain(db, domainId)
  const found = domain && (await findByShortUrl(db, [domain.domain_name], backHalf))
  const reach = { ...viewer, ownerId: owner.id }
  const link = found && (await findOwnLink(db, reach, found.id))
  return link?.destination_url === URL.parse(destination)?.href ? link : undefined
}
