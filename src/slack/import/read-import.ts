import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { effectiveDestination } from '../../contract/destination.ts'
import {
  cellsByColumn,
  type CsvRow,
  ignoredHeadings,
  matchColumns,
  readCsv,
  UnreadableCsvError,
} from '../../csv/csv.ts'
import type { Capabilities } from '../../port/capabilities.ts'
import type { DomainRecord } from '../../workspaces/connection.ts'
import { IMPORT_LIMITS } from '../../workspaces/imports.ts'
import type { Settings } from '../../workspaces/settings.ts'
import { FIELD_LABELS } from '../block-kit/fields.ts'
import { errorAt, fieldErrorText } from '../platform/field-errors.ts'
import { offeredFields, readDraft } from '../shorten/create-request.ts'
import { completeDraft, DRAFT_TEXTS, findDomain, templateIssues } from '../shorten/draft.ts'
import type { Draft, DraftText } from '../shorten/draft.ts'
import { endOfDay } from '../shorten/expiry.ts'

// After this many rows, the event loop handles other requests, which would otherwise wait until all rows are checked.
const ROWS_IN_A_TURN = 25

/** What the user chooses for all rows. A row's own domain takes precedence, and the tags are added to a row's tags. */
export const importChoices = z.object({
  domain: z.string().optional(),
  template: z.string().optional(),
  tags: z.string().optional(),
})

export type ImportChoices = z.infer<typeof importChoices>

export type ImportPlan = Awaited<ReturnType<typeof planImport>>

interface ImportContext {
  settings: Settings
  domains: readonly DomainRecord[]
  capabilities: Capabilities
  timeZone: string
  now: number
}

/** Turns a file into rows, each with the draft of a link or the problem that keeps the link from being created. */
export async function planImport(
  bytes: Uint8Array,
  choices: ImportChoices,
  context: ImportContext,
) {
  const file = await readCsv(bytes, IMPORT_LIMITS).catch((cause: unknown) => {
    if (!(cause instanceof UnreadableCsvError)) throw cause
    throw errorAt('csv_file', cause.message, { cause })
  })
  const { headings, rows } = file
  const offered = offeredFields(context.capabilities)
  const fields = DRAFT_TEXTS.filter((field) => offered.includes(field) || field === 'domain')
  const isOwnDomain = (cell: string) => findDomain(cell, context.domains) !== undefined
  const columns = matchColumns(file, fields, isOwnDomain)
  if (!columns.includes('destination_url')) {
    const message =
      'No column contains destinations. In the first row, name that column destination_url, destination, Long URL or URL.'
    throw errorAt('csv_file', message)
  }
  const check = createRowCheck(context)
  const planned: (CsvRow & { draft: Draft; problem: string | undefined })[] = []
  for (const row of rows) {
    const draft = readRow(row, columns, choices, context)
    const problem =
      row.cells.length > headings.length
        ? 'This row has more cells than the first row has headings.'
        : check(row.number, draft)
    planned.push({ ...row, draft, problem })
    if (planned.length % ROWS_IN_A_TURN === 0) await nextTurn()
  }
  return {
    headings,
    usedColumns: headings.flatMap((heading, index) => {
      const column = columns[index]
      return column ? [[heading, FIELD_LABELS[column]] as const] : []
    }),
    ignoredHeadings: ignoredHeadings(headings, columns),
    rows: planned,
  }
}

function readRow(
  row: CsvRow,
  columns: readonly (DraftText | undefined)[],
  { domain, template, tags }: ImportChoices,
  { timeZone }: ImportContext,
): Draft {
  const cells = cellsByColumn(row, columns)
  const allTags = [cells.tags, tags].filter(Boolean).join(',')
  return {
    ...(domain && { domain }),
    ...(template && { template }),
    ...cells,
    ...(allTags && { tags: allTags }),
    ...(cells.expires_at && { expires_at: endOfDay(cells.expires_at, timeZone) }),
  }
}

/**
 * Returns a function that finds the problem of a row, or returns undefined if the row has none. It also replaces a
 * relative expiry of the draft (“30d”) by its time. It remembers the rows that it has checked, because no two rows can
 * have the same back-half or, with most services, the same destination.
 */
function createRowCheck({ settings, domains, capabilities, now }: ImportContext) {
  const rowsByDestination = new Map<string, number>()
  const rowsByName = new Map<string, number>()
  const { naming, destinations } = settings
  const rules = { domains, naming, destinations, capabilities, now, checksLimits: true }

  return (number: number, draft: Draft): string | undefined => {
    const completed = completeDraft(draft, settings, capabilities)
    const knownIssues = templateIssues(draft, settings)
    const { request, issues } = readDraft(completed, { ...rules, knownIssues })
    if (issues.length > 0) return issues.map(fieldErrorText).join(' ')
    // “In 30 days” is counted from now, not from when the link is created.
    if (request.expires_at !== undefined) draft.expires_at = request.expires_at
    const destination = effectiveDestination(request.destination_url, completed)
    const link = `${request.domain} ${destination}`
    const sameLink =
      capabilities.usedDestination === 'allowed' ? undefined : rowsByDestination.get(link)
    if (sameLink !== undefined) {
      return `Row ${sameLink} has the same destination on the same domain.`
    }
    const { back_half: backHalf } = request
    if (backHalf !== undefined) {
      const name = `${request.domain}/${backHalf.toLowerCase()}`
      const sameName = rowsByName.get(name)
      if (sameName !== undefined) return `Row ${sameName} has the same back-half.`
      rowsByName.set(name, number)
    }
    rowsByDestination.set(link, number)
    return undefined
  }
}
