import { BOM, toCsv } from '../../csv/csv.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import type { ImportRow } from '../../workspaces/import-rows.ts'
import type { StoredImport } from '../../workspaces/imports.ts'
import { actions, button, section } from '../block-kit/elements.ts'
import { textMessage, type MessageContent } from '../block-kit/messages.ts'
import { bold, mention } from '../block-kit/mrkdwn.ts'
import { ACTIONS, COMMAND } from '../ids.ts'
import type { Draft } from '../shorten/draft.ts'

export function progressMessage(stored: StoredImport, rows: readonly ImportRow[], note?: string) {
  const { id, fileName, createdBy } = stored
  const done = rows.filter(({ outcome }) => typeof outcome === 'object').length
  const text = `:hourglass_flowing_sand: ${mention(createdBy)} is importing ${bold(fileName)}: ${formatNumber(done)} of ${formatCount(rows.length, 'row')} done.${note ? ` ${note}` : ''}`
  return {
    text,
    blocks: [section(text), ...actions([button('Stop', ACTIONS.stopImport, { value: id })])],
  }
}

export function finishedMessage(
  { fileName, createdBy, isStopped }: StoredImport,
  rows: readonly ImportRow[],
  hasResult: boolean,
): MessageContent {
  const results = Object.groupBy(rows, ({ outcome }) => rowResult(outcome).status)
  const { created = [], existed = [], failed = [] } = results
  const unfinished = rows.length - created.length - existed.length - failed.length
  const heading = isStopped
    ? `:octagonal_sign: The import of ${bold(fileName)} by ${mention(createdBy)} was stopped`
    : `:white_check_mark: ${mention(createdBy)} imported ${bold(fileName)}`
  const text = [
    `${heading}: ${formatCount(created.length, 'link')} created`,
    ...(existed.length > 0 ? [`${formatNumber(existed.length)} already existed`] : []),
    ...(failed.length > 0 ? [`${formatCount(failed.length, 'row')} failed`] : []),
    ...(unfinished > 0 ? [`${formatCount(unfinished, 'row')} not imported`] : []),
  ].join(', ')
  const resultHint = hasResult
    ? 'The file in the thread has each row’s short URL, or the reason why it has none.'
    : `Slack didn’t accept the file with the result. The new links are in \`${COMMAND} list\`.`
  return textMessage(`${text}. ${resultHint}`)
}

/**
 * A row as it is stored: the draft of its link and, for the result, its cells as the user typed them. The first row of
 * an import also has the file's headings.
 */
export interface StoredRow extends Draft {
  cells: readonly string[]
  headings?: readonly string[]
}

const RESULT_HEADINGS = ['row', 'short_url', 'result', 'reason']

/** The file's own columns follow, unchanged, so that a user can correct rows that failed and import the result. */
export function resultCsv(rows: readonly ImportRow[]): string {
  const storedRows = rows.map(({ draft }) => JSON.parse(draft) as StoredRow)
  const headings = storedRows[0]?.headings ?? []
  const width = Math.max(headings.length, ...storedRows.map(({ cells }) => cells.length))
  // If the file is itself the result of an import, its outdated results are left out.
  const isResult = RESULT_HEADINGS.every((heading, index) => headings[index] === heading)
  const ownCells = (cells: readonly string[]): string[] =>
    Array.from({ length: width }, (_, index) => cells[index] ?? '').slice(
      isResult ? RESULT_HEADINGS.length : 0,
    )
  const lines = rows.map(({ number, outcome }, index) => {
    const { status, shortUrl = '', reason = '' } = rowResult(outcome)
    return [String(number), shortUrl, status, reason, ...ownCells(storedRows[index]?.cells ?? [])]
  })
  return BOM + toCsv([[...RESULT_HEADINGS, ...ownCells(headings)], ...lines])
}

function rowResult(outcome: ImportRow['outcome']): {
  status: 'created' | 'existed' | 'failed' | 'unclear' | 'not imported'
  shortUrl?: string
  reason?: string
} {
  if (outcome === undefined) {
    return { status: 'not imported', reason: 'The import was stopped before this row.' }
  }
  if (outcome === 'started') {
    const reason =
      'The import was stopped while this link was being created, so it might exist. Look for it in the list.'
    return { status: 'unclear', reason }
  }
  if ('reason' in outcome) return { status: 'failed', reason: outcome.reason }
  const { shortUrl, existed } = outcome
  return existed
    ? { status: 'existed', shortUrl, reason: 'The destination already had this link.' }
    : { status: 'created', shortUrl }
}
